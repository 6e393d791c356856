package io.orrery.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** Folders of runs: made, copied and emptied as a whole. */
final class Folders {
  private Folders() {}

  /** With the rights that the server gives its own, so that it has nothing to complain about. */
  static Path make(Path folder) throws IOException {
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Removes everything inside. */
  static void empty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
      }
    }
  }

  static void delete(Path folder) throws IOException {
    empty(folder);
    Files.deleteIfExists(folder);
  }

  /** Makes the second folder a copy of the first. */
  static void copy(Path from, Path to) throws IOException {
    empty(to);
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          make(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }
}
