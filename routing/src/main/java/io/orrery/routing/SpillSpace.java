package io.orrery.routing;

import io.orrery.operation.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** Room on disk for what queries cannot hold in memory; nothing of it outlives the process. */
final class SpillSpace {
  private final Path directory;
  private final long maxBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  SpillSpace(Path directory, long maxBytes) {
    this.directory = directory;
    this.maxBytes = maxBytes;
  }

  long usedBytes() {
    return usedBytes.get();
  }

  SpillFile open() {
    try {
      Path path = Files.createTempFile(directory, "orrery-query-", ".spill");
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      // An open file needs no name; without one not even a crash leaves it behind.
      Files.deleteIfExists(path);
      return new SpillFile(this, channel);
    } catch (IOException e) {
      throw new UncheckedIOException("A temporary file could not be made", e);
    }
  }

  void reserve(long bytes) {
    if (usedBytes.addAndGet(bytes) > maxBytes) {
      release(bytes);
      throw new Refused(
          new Refusal.Unavailable("Queries need more temporary space than there is; try again"));
    }
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  static void writeFully(FileChannel channel, ByteBuffer bytes, long at) {
    try {
      long place = at;
      while (bytes.hasRemaining()) {
        place += channel.write(bytes, place);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("A temporary file could not be written", e);
    }
  }
}
