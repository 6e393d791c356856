package io.orrery.query.index;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from an item to a value in it. An element of an array is {@code []} whatever its
 * position; a member of that name shares its entries, which only makes them less selective.
 */
public record IndexPath(List<String> segments) implements Indexed {
  static final String ELEMENTS = "[]";
  static final IndexPath ROOT = new IndexPath(List.of());

  public IndexPath {
    segments = List.copyOf(segments);
  }

  public static IndexPath of(String... segments) {
    return new IndexPath(List.of(segments));
  }

  /** A path as a policy writes it, without a wildcard at its end. */
  static IndexPath parse(String text) {
    return new IndexPath(PathPattern.segments(text));
  }

  /** Whether an item has at most one value, and so one entry, at the path. */
  public boolean isSingle() {
    return !segments.contains(ELEMENTS);
  }

  IndexPath child(String segment) {
    var longer = new ArrayList<>(segments);
    longer.add(segment);
    return new IndexPath(longer);
  }

  IndexPath elements() {
    return child(ELEMENTS);
  }

  @Override
  public long hash() {
    return PathHash.of(this);
  }

  /** As a policy writes it: names of other than letters, digits and underscores are quoted. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    for (String segment : segments) {
      text.append('/');
      if (segment.equals(ELEMENTS) || isPlain(segment)) {
        text.append(segment);
      } else {
        text.append('"').append(segment.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      }
    }
    return text.toString();
  }

  private static boolean isPlain(String segment) {
    return !segment.isEmpty()
        && segment.chars().allMatch(c -> c == '_' || Character.isLetterOrDigit(c));
  }
}
