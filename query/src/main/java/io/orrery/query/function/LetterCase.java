package io.orrery.query.function;

import java.util.Locale;

/**
 * Upper and lower case in linear time. The JDK copies the whole text for each character that
 * becomes several, and looks for word boundaries at each capital sigma; here it sees short pieces
 * only, and sigmas are decided by their neighbours.
 */
final class LetterCase {
  private static final int PIECE_CHARS = 64;
  private static final char CAPITAL_SIGMA = '\u03A3';
  private static final char SIGMA = '\u03C3';
  private static final char FINAL_SIGMA = '\u03C2';

  private LetterCase() {}

  private interface Mapping {
    String apply(String piece);
  }

  static String upper(String text, Work work) {
    return mapped(text, piece -> piece.toUpperCase(Locale.ROOT), work);
  }

  static String lower(String text, Work work) {
    String prepared = text.indexOf(CAPITAL_SIGMA) < 0 ? text : withoutSigma(text, work);
    return mapped(prepared, piece -> piece.toLowerCase(Locale.ROOT), work);
  }

  /** Texts that differ in case only become the same. */
  static String folded(String text, Work work) {
    return lower(upper(text, work), work);
  }

  private static String mapped(String text, Mapping mapping, Work work) {
    work.text(text.length());
    if (text.length() <= PIECE_CHARS) {
      return mapping.apply(text);
    }
    StringBuilder all = new StringBuilder(text.length());
    int from = 0;
    while (from < text.length()) {
      int to = end(text, from);
      // Not every step: a piece costs about as much as a call.
      work.steps(1);
      all.append(mapping.apply(text.substring(from, to)));
      from = to;
    }
    // Some characters become two or three.
    work.text(Math.max(0, all.length() - text.length()));
    return all.toString();
  }

  private static int end(String text, int from) {
    int to = Math.min(text.length(), from + PIECE_CHARS);
    boolean splits = to < text.length() && Character.isHighSurrogate(text.charAt(to - 1));
    return splits ? to - 1 : to;
  }

  /** A sigma at the end of a word has another form; behind it no letter follows. */
  private static String withoutSigma(String text, Work work) {
    work.text(text.length());
    StringBuilder all = new StringBuilder(text);
    for (int i = text.indexOf(CAPITAL_SIGMA); i >= 0; i = text.indexOf(CAPITAL_SIGMA, i + 1)) {
      boolean ends =
          i > 0
              && Character.isLetter(text.codePointBefore(i))
              && (i + 1 == text.length() || !Character.isLetter(text.codePointAt(i + 1)));
      all.setCharAt(i, ends ? FINAL_SIGMA : SIGMA);
    }
    return all.toString();
  }
}
