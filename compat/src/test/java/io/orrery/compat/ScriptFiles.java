package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** The scripts of the documentation, in {@code docs/scripts}. */
final class ScriptFiles {
  private ScriptFiles() {}

  static String text(String id) {
    try {
      return Files.readString(OrreryProcess.ROOT.resolve("docs/scripts").resolve(id + ".js"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
