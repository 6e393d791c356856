package io.orrery.query.syntax;

import java.util.Locale;

/** Maps names of functions to upper case, as they are compared. */
public final class UpperCase {
  /** No function has a longer name; the JDK takes quadratic time to map some letters. */
  private static final int NAME_CHARS_MAX = 64;

  private UpperCase() {}

  /** The name in upper case; one that is too long for a function is returned unchanged. */
  public static String of(String name) {
    return name.length() > NAME_CHARS_MAX ? name : name.toUpperCase(Locale.ROOT);
  }
}
