package io.orrery.query.function;

import java.util.Arrays;
import java.util.Locale;

/**
 * Upper and lower case in linear time. The JDK copies the whole text for each character that
 * becomes several, and looks for word boundaries at each capital sigma; here longer texts are
 * mapped character by character, and sigmas are decided by their neighbours.
 */
final class LetterCase {
  private static final int PIECE_CHARS = 64;

  /** How many characters one becomes at most. */
  private static final int EXPANSION_MAX = 3;

  private static final char CAPITAL_SIGMA = '\u03A3';
  private static final char SIGMA = '\u03C3';
  private static final char FINAL_SIGMA = '\u03C2';
  private static final char DOTTED_CAPITAL_I = '\u0130';
  private static final char COMBINING_DOT = '\u0307';

  /** All letters that become several in upper case stand below the first, or are ligatures. */
  private static final int LETTERS_END = 0x2000;

  private static final int LIGATURES = 0xFB00;
  private static final int LIGATURES_END = 0xFB20;

  private static final char[] ONE = {};

  /** What letters that become several in upper case become; empty for the others. */
  private static final char[][] EXPANDED = expanded();

  private LetterCase() {}

  private static char[][] expanded() {
    var found = new char[LETTERS_END + LIGATURES_END - LIGATURES][];
    for (int i = 0; i < found.length; i++) {
      int letter = i < LETTERS_END ? i : LIGATURES + i - LETTERS_END;
      String upper = Character.toString(letter).toUpperCase(Locale.ROOT);
      found[i] = upper.length() > 1 ? upper.toCharArray() : ONE;
    }
    return found;
  }

  static String upper(String text, Work work) {
    work.text(text.length());
    return text.length() <= PIECE_CHARS
        ? text.toUpperCase(Locale.ROOT)
        : mapped(text, LetterCase::upper, work);
  }

  static String lower(String text, Work work) {
    String prepared = text.indexOf(CAPITAL_SIGMA) < 0 ? text : withoutSigma(text, work);
    work.text(text.length());
    return text.length() <= PIECE_CHARS
        ? prepared.toLowerCase(Locale.ROOT)
        : mapped(prepared, LetterCase::lower, work);
  }

  /**
   * Texts that differ in case only become equal, and so do their parts: the sigma that ends a word
   * becomes the one inside of words.
   */
  static String folded(String text, Work work) {
    return lower(upper(text, work), work).replace(FINAL_SIGMA, SIGMA);
  }

  private interface Mapping {
    /** Writes a piece of the text; returns where what follows is written. */
    int write(String text, int from, int to, char[] into, int at);
  }

  private static String mapped(String text, Mapping mapping, Work work) {
    // So much more that a text in which nothing becomes several fits, its last piece too.
    char[] all = new char[text.length() + (EXPANSION_MAX - 1) * PIECE_CHARS];
    int length = 0;
    int from = 0;
    while (from < text.length()) {
      int to = end(text, from);
      // Not every step: a piece costs about as much as a call.
      work.steps(1);
      if (all.length - length < EXPANSION_MAX * PIECE_CHARS) {
        work.text(all.length);
        all = Arrays.copyOf(all, 2 * all.length);
      }
      length = mapping.write(text, from, to, all, length);
      from = to;
    }
    return new String(all, 0, length);
  }

  private static int end(String text, int from) {
    int to = Math.min(text.length(), from + PIECE_CHARS);
    boolean splits = to < text.length() && Character.isHighSurrogate(text.charAt(to - 1));
    return splits ? to - 1 : to;
  }

  private static int upper(String text, int from, int to, char[] into, int at) {
    int next = at;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        into[next++] = c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
      } else if (Character.isHighSurrogate(c)) {
        int letter = text.codePointAt(i);
        next += Character.toChars(Character.toUpperCase(letter), into, next);
        i += Character.charCount(letter) - 1;
      } else {
        char[] several = several(c);
        if (several.length == 0) {
          into[next++] = Character.toUpperCase(c);
        } else {
          System.arraycopy(several, 0, into, next, several.length);
          next += several.length;
        }
      }
    }
    return next;
  }

  private static char[] several(char letter) {
    if (letter < LETTERS_END) {
      return EXPANDED[letter];
    }
    return letter >= LIGATURES && letter < LIGATURES_END
        ? EXPANDED[letter - LIGATURES + LETTERS_END]
        : ONE;
  }

  private static int lower(String text, int from, int to, char[] into, int at) {
    int next = at;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        into[next++] = c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
      } else if (c == DOTTED_CAPITAL_I) {
        into[next++] = 'i';
        into[next++] = COMBINING_DOT;
      } else if (Character.isHighSurrogate(c)) {
        int letter = text.codePointAt(i);
        next += Character.toChars(Character.toLowerCase(letter), into, next);
        i += Character.charCount(letter) - 1;
      } else {
        into[next++] = Character.toLowerCase(c);
      }
    }
    return next;
  }

  /** A sigma at the end of a word has another form; behind it no letter follows. */
  private static String withoutSigma(String text, Work work) {
    work.text(text.length());
    char[] all = text.toCharArray();
    for (int i = text.indexOf(CAPITAL_SIGMA); i >= 0; i = text.indexOf(CAPITAL_SIGMA, i + 1)) {
      boolean ends =
          i > 0
              && Character.isLetter(text.codePointBefore(i))
              && (i + 1 == text.length() || !Character.isLetter(text.codePointAt(i + 1)));
      all[i] = ends ? FINAL_SIGMA : SIGMA;
    }
    return new String(all);
  }
}
