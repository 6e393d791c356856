package io.orrery.partition;

import java.util.ArrayList;
import java.util.List;

/** The segments of a path in a policy: names, quoted where they must be, {@code []}, ?, *. */
final class PathPattern {
  private PathPattern() {}

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
}
