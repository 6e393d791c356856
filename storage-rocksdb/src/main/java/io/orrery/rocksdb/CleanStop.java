package io.orrery.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Files that stand in the data directory and tell the next start what may have been lost: one while
 * it is served without synced commits, another from before a log is cut until every LSN has risen.
 */
final class CleanStop {
  private final Path directory;
  private final Path unsynced;
  private final Path rising;

  CleanStop(Path directory) {
    this.directory = directory;
    unsynced = directory.resolve("unsynced");
    rising = directory.resolve("rising");
  }

  /** Whether every commit was synced before it was acknowledged, or the last stop was clean. */
  boolean wasSynced() {
    return !Files.exists(unsynced);
  }

  void started() throws IOException {
    make(unsynced);
  }

  void stopped() throws IOException {
    remove(unsynced);
  }

  /** Whether a log was cut, or was about to be, and LSNs have not risen since. */
  boolean isRising() {
    return Files.exists(rising);
  }

  void rising() throws IOException {
    make(rising);
  }

  void risen() throws IOException {
    remove(rising);
  }

  private void make(Path marker) throws IOException {
    if (!Files.exists(marker)) {
      Files.createFile(marker);
      sync(directory);
    }
  }

  private void remove(Path marker) throws IOException {
    if (Files.deleteIfExists(marker)) {
      sync(directory);
    }
  }

  /** Makes names that were made, moved or removed in a directory last. */
  static void sync(Path directory) throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
