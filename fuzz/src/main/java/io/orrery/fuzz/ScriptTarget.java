package io.orrery.fuzz;

import io.orrery.script.channel.Channel;
import io.orrery.script.channel.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Reads frames as a process for scripts may send them; sent again they are the same. */
final class ScriptTarget implements Target {

  @Override
  public void run(byte[] input) throws IOException {
    Message message;
    try {
      message =
          new Channel(new ByteArrayInputStream(input), OutputStream.nullOutputStream()).receive();
    } catch (IOException refused) {
      return;
    }
    byte[] sent = sent(message);
    Message again =
        new Channel(new ByteArrayInputStream(sent), OutputStream.nullOutputStream()).receive();
    Finding.unless(Arrays.equals(sent, sent(again)), "sent twice: " + message);
  }

  private static byte[] sent(Message message) throws IOException {
    var out = new ByteArrayOutputStream();
    new Channel(InputStream.nullInputStream(), out).send(message);
    return out.toByteArray();
  }
}
