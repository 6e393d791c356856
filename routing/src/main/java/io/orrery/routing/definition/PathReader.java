package io.orrery.routing.definition;

import org.jspecify.annotations.Nullable;

/** Walks over the segments of a path, names in quotes where they hold more than letters. */
final class PathReader {
  private static final String STRUCTURAL = "/\"'*?[]{},\\";

  private final String path;
  private int at;

  PathReader(String path) {
    this.path = path;
  }

  int at() {
    return at;
  }

  boolean atEnd() {
    return at == path.length();
  }

  boolean take(String text) {
    if (path.startsWith(text, at)) {
      at += text.length();
      return true;
    }
    return false;
  }

  void skipSpaces() {
    while (take(" ")) {
      // One at a time.
    }
  }

  /** The name in one of these quotes that starts here; null when there is none or it has no end. */
  @Nullable String quoted(String quotes) {
    if (atEnd() || quotes.indexOf(path.charAt(at)) < 0) {
      return null;
    }
    char quote = path.charAt(at);
    var name = new StringBuilder();
    for (int i = at + 1; i < path.length(); i++) {
      char unit = path.charAt(i);
      if (unit == quote) {
        at = i + 1;
        return name.isEmpty() ? null : name.toString();
      }
      if (unit == '\\' && i + 1 < path.length()) {
        unit = path.charAt(++i);
      }
      name.append(unit);
    }
    return null;
  }

  /** The bare name that starts here, or null when there is none. */
  @Nullable String bare(boolean wordsOnly) {
    int start = at;
    while (!atEnd() && isName(path.charAt(at), wordsOnly)) {
      at++;
    }
    return at == start ? null : path.substring(start, at);
  }

  private static boolean isName(char unit, boolean wordsOnly) {
    return wordsOnly
        ? Character.isLetterOrDigit(unit) || unit == '_' || Character.isSurrogate(unit)
        : STRUCTURAL.indexOf(unit) < 0 && !Character.isISOControl(unit);
  }
}
