package io.orrery.routing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What queries may keep on disk.
 *
 * @param directory where
 * @param maxBytes by all queries together
 * @param reserveBytes what they leave free, whatever else fills the disk
 */
record SpillSettings(Path directory, long maxBytes, long reserveBytes) {
  private static final int FREE_DIVISOR = 4;
  private static final long RESERVE_BYTES = 1L << 30;
  private static final int RESERVE_DIVISOR = 20;

  /** A quarter of what is free on the disk now. */
  static long usualBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace() / FREE_DIVISOR;
    } catch (IOException e) {
      throw new UncheckedIOException("The disk of " + directory + " cannot be looked at", e);
    }
  }

  /** Leaves a twentieth of the disk free, of a large one 1 GB. */
  static SpillSettings of(QuerySettings settings) {
    try {
      FileStore disk = Files.getFileStore(settings.directory());
      return new SpillSettings(
          settings.directory(),
          settings.directoryBytes(),
          Math.min(RESERVE_BYTES, disk.getTotalSpace() / RESERVE_DIVISOR));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The disk of " + settings.directory() + " cannot be looked at", e);
    }
  }
}
