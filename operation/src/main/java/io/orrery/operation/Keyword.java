package io.orrery.operation;

import java.util.Locale;

/**
 * Maps words that clients send to the case in which those of a protocol or language are known. The
 * JDK copies a text again for each letter that becomes several, so long ones are left as they are:
 * they equal no keyword in any case.
 */
public final class Keyword {
  /** No function, verb, table or other word that is compared has more. */
  private static final int CHARACTERS_MAX = 64;

  private Keyword() {}

  /** The word in lower case; one that is too long to be known is returned unchanged. */
  public static String lower(String word) {
    return word.length() > CHARACTERS_MAX ? word : word.toLowerCase(Locale.ROOT);
  }

  /** The word in upper case; one that is too long to be known is returned unchanged. */
  public static String upper(String word) {
    return word.length() > CHARACTERS_MAX ? word : word.toUpperCase(Locale.ROOT);
  }
}
