package io.orrery.routing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;

/** Messages as bytes. */
final class Messages {
  private Messages() {}

  static byte[] write(Message message) {
    var bytes = new ByteArrayOutputStream(1024);
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Message read(byte[] bytes) throws IOException {
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Message) in.readObject();
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("Another node speaks a language that this one does not know", e);
    }
  }
}
