package io.orrery.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that stands in the data directory while it is served without synced commits, and while a
 * log that has lost some is replayed: found at a start, it says that commits may have been lost.
 */
final class CleanStop {
  private final Path directory;
  private final Path marker;

  CleanStop(Path directory) {
    this.directory = directory;
    marker = directory.resolve("unsynced");
  }

  boolean wasClean() {
    return !Files.exists(marker);
  }

  void started() throws IOException {
    if (!Files.exists(marker)) {
      Files.createFile(marker);
      syncDirectory();
    }
  }

  void stopped() throws IOException {
    if (Files.deleteIfExists(marker)) {
      syncDirectory();
    }
  }

  private void syncDirectory() throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
