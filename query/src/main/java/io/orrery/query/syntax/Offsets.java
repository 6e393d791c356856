package io.orrery.query.syntax;

import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Turns the parser's offsets, which count code points, into those of the text. */
final class Offsets {
  /** Where each code point begins, and the end; null where all are one unit long. */
  private final int @Nullable [] units;

  private Offsets(int @Nullable [] units) {
    this.units = units;
  }

  static Offsets of(String text) {
    boolean same = text.chars().noneMatch(unit -> Character.isSurrogate((char) unit));
    return new Offsets(same ? null : units(text));
  }

  /** Computed once: every node of the tree asks, and each count from the start is linear. */
  private static int[] units(String text) {
    int[] units = new int[text.codePointCount(0, text.length()) + 1];
    int unit = 0;
    for (int point = 0; point < units.length - 1; point++) {
      units[point] = unit;
      unit += Character.charCount(text.codePointAt(unit));
    }
    units[units.length - 1] = unit;
    return units;
  }

  Span span(Token first, Token last) {
    return new Span(of(first.getStartIndex()), of(last.getStopIndex() + 1));
  }

  /** The first character of a token. */
  Span first(Token token) {
    return new Span(of(token.getStartIndex()), of(token.getStartIndex() + 1));
  }

  private int of(int codePoint) {
    return units == null ? codePoint : units[codePoint];
  }
}
