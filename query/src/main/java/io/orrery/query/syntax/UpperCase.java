package io.orrery.query.syntax;

import java.util.Locale;

/** Names of functions as they are compared. */
public final class UpperCase {
  /** No function has a longer name, and the JDK takes the square of the length for some letters. */
  private static final int NAME_CHARS_MAX = 64;

  private UpperCase() {}

  /** The name in upper case; one that is too long for a function is given as it is. */
  public static String of(String name) {
    return name.length() > NAME_CHARS_MAX ? name : name.toUpperCase(Locale.ROOT);
  }
}
