package io.orrery.bench;

import java.util.Locale;

/** Tells on standard error what happens, so that standard output holds the results only. */
final class Progress {
  private static final long START_NANOS = System.nanoTime();

  private Progress() {}

  // The annotation that is asked for would be a dependency of its own.
  @SuppressWarnings("AnnotateFormatMethod")
  static void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - START_NANOS) / 1e9;
    String text = String.format(Locale.ROOT, format, arguments);
    System.err.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds, text);
  }
}
