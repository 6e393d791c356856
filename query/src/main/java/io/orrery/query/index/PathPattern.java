package io.orrery.query.index;

import java.util.ArrayList;
import java.util.List;

/** The segments of a path in a policy: names, quoted where they must be, {@code []}, ?, *. */
final class PathPattern {
  private PathPattern() {}

  /** One list per path that the pattern stands for: a tuple {@code {a, b/c}} stands for many. */
  static List<List<String>> alternatives(String pattern) {
    int open = outsideQuotes(pattern, '{', 0);
    int close = open < 0 ? -1 : outsideQuotes(pattern, '}', open);
    if (close < 0) {
      return List.of(segments(pattern));
    }
    var alternatives = new ArrayList<List<String>>();
    int from = open + 1;
    while (from <= close) {
      int comma = outsideQuotes(pattern, ',', from);
      int end = comma < 0 || comma > close ? close : comma;
      String one = pattern.substring(from, end).strip();
      alternatives.add(segments(pattern.substring(0, open) + one + pattern.substring(close + 1)));
      from = end + 1;
    }
    return alternatives;
  }

  static List<String> segments(String pattern) {
    var segments = new ArrayList<String>();
    int at = 0;
    while (at < pattern.length()) {
      at++; // the slash
      var name = new StringBuilder();
      if (at < pattern.length() && pattern.charAt(at) == '"') {
        at = quoted(pattern, at + 1, name);
      } else {
        while (at < pattern.length() && pattern.charAt(at) != '/') {
          name.append(pattern.charAt(at++));
        }
      }
      segments.add(name.toString());
    }
    return segments.isEmpty() ? List.of("*") : segments;
  }

  private static int quoted(String pattern, int from, StringBuilder name) {
    int at = from;
    while (at < pattern.length() && pattern.charAt(at) != '"') {
      if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
        at++;
      }
      name.append(pattern.charAt(at++));
    }
    return at + 1;
  }

  private static int outsideQuotes(String pattern, char wanted, int from) {
    boolean inside = false;
    for (int at = from; at < pattern.length(); at++) {
      char c = pattern.charAt(at);
      if (inside && c == '\\') {
        at++;
      } else if (c == '"') {
        inside = !inside;
      } else if (!inside && c == wanted) {
        return at;
      }
    }
    return -1;
  }
}
