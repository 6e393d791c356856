package io.orrery.script.channel;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.IntConsumer;

/** One end of the pipes between the server and a process; belongs to one thread at a time. */
public final class Channel {
  /** More than a step's document, a page of rows or a script's answer can be. */
  public static final int FRAME_BYTES_MAX = 32 << 20;

  private final InputStream in;
  private final OutputStream out;

  public Channel(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Sends a message; blocks while the pipe is full.
   *
   * @throws FrameTooLarge when it exceeds the bound of a frame; nothing was sent then
   */
  public void send(Message message) throws IOException {
    var fields = new FieldWriter();
    fields.putInt(0);
    MessageFields.put(fields, message);
    int size = fields.size() - Integer.BYTES;
    if (size > FRAME_BYTES_MAX) {
      throw new FrameTooLarge();
    }
    fields.putInt(size, 0);
    out.write(fields.buffer(), 0, fields.size());
    out.flush();
  }

  /**
   * The next message; blocks.
   *
   * @throws EOFException when the other side has ended
   */
  public Message receive() throws IOException {
    return receive(size -> {});
  }

  /**
   * The same.
   *
   * @param room receives the size of the message before it is read, and may refuse it
   */
  public Message receive(IntConsumer room) throws IOException {
    int size = new FieldReader(take(Integer.BYTES)).takeInt();
    if (size < 1 || size > FRAME_BYTES_MAX) {
      throw new IOException("A frame of " + size + " bytes");
    }
    room.accept(size);
    return MessageFields.take(new FieldReader(take(size)));
  }

  /** Room is made only for what arrives. */
  private byte[] take(int size) throws IOException {
    byte[] taken = in.readNBytes(size);
    if (taken.length < size) {
      throw new EOFException("The other side has ended");
    }
    return taken;
  }

  /** A message that does not fit into a frame. */
  public static final class FrameTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    FrameTooLarge() {
      super("A message between the server and a script exceeds " + FRAME_BYTES_MAX + " bytes");
    }
  }
}
