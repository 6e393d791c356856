package io.orrery.routing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.NoSuchElementException;

/**
 * Records one after the other, each its length and its bytes. One thread writes; what is flushed
 * can be read by any.
 */
final class SpillFile implements AutoCloseable {
  private static final int WRITE_BYTES = 64 << 10;
  static final int READ_BYTES = 16 << 10;

  private final SpillSpace space;
  private final FileChannel channel;
  private final ByteBuffer pending = ByteBuffer.allocate(WRITE_BYTES);
  private long flushedBytes;

  SpillFile(SpillSpace space, FileChannel channel) {
    this.space = space;
    this.channel = channel;
  }

  /** Where the next record will start. */
  long endBytes() {
    return flushedBytes + pending.position();
  }

  void append(byte[] entry) {
    if (pending.remaining() < Integer.BYTES + entry.length) {
      flush();
    }
    pending.putInt(entry.length);
    if (pending.remaining() < entry.length) {
      flush();
      write(ByteBuffer.wrap(entry));
    } else {
      pending.put(entry);
    }
  }

  void flush() {
    write(pending.flip());
    pending.clear();
  }

  private void write(ByteBuffer bytes) {
    int size = bytes.remaining();
    space.reserve(size);
    long at = flushedBytes;
    flushedBytes += size;
    SpillSpace.writeFully(channel, bytes, at);
  }

  /** The records between two offsets. */
  Reader read(long from, long to) {
    return new Reader(from, to);
  }

  /** Gives up the file and what it held. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("A temporary file could not be closed", e);
    } finally {
      space.release(flushedBytes);
    }
  }

  /** Reads records in turn; belongs to one thread. */
  final class Reader {
    private final long to;
    private long next;
    private ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES).limit(0);

    private Reader(long from, long to) {
      this.next = from;
      this.to = to;
    }

    boolean hasNext() {
      return next < to;
    }

    byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      require(Integer.BYTES);
      int length = buffer.getInt();
      next += Integer.BYTES;
      require(length);
      byte[] entry = new byte[length];
      buffer.get(entry);
      next += length;
      return entry;
    }

    private void require(int size) {
      if (buffer.remaining() >= size) {
        return;
      }
      ByteBuffer wider =
          buffer.capacity() >= size ? buffer : ByteBuffer.allocate(Math.max(size, READ_BYTES));
      wider.clear();
      wider.limit((int) Math.min(wider.capacity(), to - next));
      try {
        long at = next;
        while (wider.hasRemaining()) {
          int read = channel.read(wider, at);
          if (read < 0) {
            throw new IllegalStateException("A temporary file is shorter than it was");
          }
          at += read;
        }
      } catch (IOException e) {
        throw SpillSpace.failed(e);
      }
      buffer = wider.flip();
    }
  }
}
