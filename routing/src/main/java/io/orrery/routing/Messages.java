package io.orrery.routing;

import io.orrery.operation.Sent;
import io.orrery.operation.UnreadableMessage;
import java.io.IOException;

/** Messages as bytes. */
final class Messages {
  private static final String PACKAGE = Message.class.getPackageName();

  private Messages() {}

  static byte[] write(Message message) {
    return Sent.write(message);
  }

  static Message read(byte[] bytes) throws IOException {
    try {
      return (Message) Sent.read(bytes, PACKAGE);
    } catch (UnreadableMessage | ClassCastException e) {
      throw new IOException("Another node speaks a language that this one does not know", e);
    }
  }
}
