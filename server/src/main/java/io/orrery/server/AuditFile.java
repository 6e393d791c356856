package io.orrery.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file of lines that does not grow without end: {@code NAME} is written, {@code NAME.1} is the
 * one before it. Belongs to one thread.
 */
final class AuditFile implements AutoCloseable {
  static final long BYTES_MAX = 16 << 20;
  static final int OLDER_KEPT = 4;

  private final Path path;
  private final long bytesMax;
  private FileChannel channel;

  /** Whether the last line may have been written in part. */
  private boolean cut;

  AuditFile(Path path, long bytesMax) throws IOException {
    this.path = path;
    this.bytesMax = bytesMax;
    this.cut = Files.exists(path) && !endsALine(path);
    this.channel = OwnerFile.append(path);
  }

  private static boolean endsALine(Path path) throws IOException {
    try (FileChannel read = FileChannel.open(path)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return read.size() == 0 || (read.read(last, read.size() - 1) == 1 && last.get(0) == '\n');
    }
  }

  void write(String line) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode((cut ? "\n" : "") + line + "\n");
    cut = true;
    if (!channel.isOpen()) {
      // The last rotation closed the file and failed.
      channel = OwnerFile.append(path);
    }
    if (channel.size() > 0 && channel.size() + bytes.remaining() > bytesMax) {
      rotate();
      bytes = StandardCharsets.UTF_8.encode(line + "\n");
    }
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    cut = false;
  }

  private void rotate() throws IOException {
    channel.close();
    for (int number = OLDER_KEPT; number > 0; number--) {
      Path younger = number == 1 ? path : older(number - 1);
      if (Files.exists(younger)) {
        Files.move(younger, older(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    channel = OwnerFile.append(path);
  }

  private Path older(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
