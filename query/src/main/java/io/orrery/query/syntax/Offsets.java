package io.orrery.query.syntax;

import org.antlr.v4.runtime.Token;

/** Turns the parser's offsets, which count code points, into those of the text. */
final class Offsets {
  private final String text;
  private final boolean same;

  private Offsets(String text, boolean same) {
    this.text = text;
    this.same = same;
  }

  static Offsets of(String text) {
    return new Offsets(text, text.chars().noneMatch(unit -> Character.isSurrogate((char) unit)));
  }

  Span span(Token first, Token last) {
    return new Span(of(first.getStartIndex()), of(last.getStopIndex() + 1));
  }

  private int of(int codePoint) {
    return same ? codePoint : text.offsetByCodePoints(0, codePoint);
  }
}
