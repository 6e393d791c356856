package io.orrery.http;

import java.util.HexFormat;

/**
 * Reads numbers that clients send. The platform's own methods take the digits of every script, so
 * that texts which only look alike would name the same number.
 */
public final class AsciiNumbers {
  private static final int ASCII_MAX = 0x7F;

  private AsciiNumbers() {}

  /**
   * Reads a whole number.
   *
   * @throws NumberFormatException when it is none, or too large
   */
  public static int parseInt(String text) {
    requireAscii(text);
    return Integer.parseInt(text);
  }

  /** As {@link #parseInt}. */
  public static long parseLong(String text) {
    requireAscii(text);
    return Long.parseLong(text);
  }

  /** Whether the text has nothing but hexadecimal digits; it may be empty. */
  public static boolean isHex(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static void requireAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > ASCII_MAX) {
        throw new NumberFormatException("The number has other characters than ASCII digits");
      }
    }
  }
}
