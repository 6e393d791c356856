package io.orrery.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Random bytes that end every record of the log, as data that RocksDB logs and does not apply.
 * Clients do not know them: what they store can look like a record of the log, and is found where a
 * torn record is searched for later ones, but it is not sealed.
 */
final class LogSeal {
  private static final byte LOG_DATA = 0x3;
  private static final int SECRET_BYTES = 16;

  /** The end of a record: type, length, secret. */
  static final int BYTES = 2 + SECRET_BYTES;

  private final byte[] end;

  private LogSeal(byte[] secret) {
    end = new byte[BYTES];
    end[0] = LOG_DATA;
    end[1] = SECRET_BYTES;
    System.arraycopy(secret, 0, end, 2, SECRET_BYTES);
  }

  /** Null in directories without one: their logs are not sealed. */
  static @Nullable LogSeal find(Path directory) throws IOException {
    if (!Files.exists(file(directory))) {
      return null;
    }
    byte[] secret = Files.readAllBytes(file(directory));
    return secret.length == SECRET_BYTES ? new LogSeal(secret) : null;
  }

  /** To be called when everything in the logs is in files: all that follows is sealed. */
  static LogSeal findOrMake(Path directory) throws IOException {
    LogSeal found = find(directory);
    if (found != null) {
      return found;
    }
    var secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    Path unfinished = directory.resolve("seal.new");
    try (var out =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(java.nio.ByteBuffer.wrap(secret));
      out.force(true);
    }
    Files.move(unfinished, file(directory), StandardCopyOption.ATOMIC_MOVE);
    CleanStop.sync(directory);
    return new LogSeal(secret);
  }

  private static Path file(Path directory) {
    return directory.resolve("seal");
  }

  /** What a record ends in. */
  byte[] end() {
    return end.clone();
  }

  /**
   * Whether a record is sealed.
   *
   * @param last its last bytes, as many as a seal has
   */
  boolean isOn(byte[] last) {
    return Arrays.equals(last, end);
  }
}
