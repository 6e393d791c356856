package io.orrery.query.syntax;

/** A stretch of the query text: 0-based offsets of UTF-16 units, end exclusive. */
public record Span(int start, int end) {
  public Span to(Span last) {
    return new Span(start, last.end);
  }
}
