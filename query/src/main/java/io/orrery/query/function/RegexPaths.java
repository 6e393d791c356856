package io.orrery.query.function;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the ways through a pattern that look at no character of the text. The library tries all of
 * them: forty times {@code (?:^|^)} before something that fails are more than it could ever try,
 * and the limit of looks at the text does not end that. The count is an upper bound.
 */
final class RegexPaths {
  private static final long MANY = Integer.MAX_VALUE;

  /** Escapes that stand between characters, and references to groups, which may be empty. */
  private static final String EMPTY_ESCAPES = "AbBGzZk123456789";

  private final String pattern;
  private final Deque<Group> outer = new ArrayDeque<>();
  private Group group = new Group(false);
  private int at;

  /** Of the atom read last; the group has it once no quantifier can follow. */
  private boolean isLastEmpty;

  private long lastWays = 1;

  private RegexPaths(String pattern) {
    this.pattern = pattern;
  }

  /** One pair of parentheses while it is read. */
  private static final class Group {
    /** Whether it is a lookahead or lookbehind, which takes no character. */
    final boolean looksAround;

    /** Of all alternatives, multiplied as if they followed each other. */
    long ways = 1;

    int emptyAlternatives;
    boolean isEmpty = true;

    Group(boolean looksAround) {
      this.looksAround = looksAround;
    }
  }

  /**
   * The number of ways.
   *
   * @param isCommented whether flags allow comments in the pattern
   */
  static long of(String pattern, boolean isCommented) {
    if (isCommented && pattern.indexOf('#') >= 0) {
      // Comments are not parsed: everything that looks like a choice counts as one.
      long choices = pattern.chars().filter(c -> "|?*+{".indexOf(c) >= 0).count();
      return choices > 30 ? MANY : 1L << choices;
    }
    return new RegexPaths(pattern).run();
  }

  private long run() {
    while (at < pattern.length()) {
      char next = pattern.charAt(at++);
      switch (next) {
        case '\\' -> escape();
        case '[' -> set();
        case '(' -> open();
        case ')' -> close();
        case '|' -> alternative();
        case '?', '*', '+', '{' -> quantifier(next);
        case '^', '$' -> atom(true);
        default -> {
          // Flags may say that white space is ignored.
          if (!Character.isWhitespace(next)) {
            atom(false);
          }
        }
      }
    }
    while (!outer.isEmpty()) {
      close();
    }
    alternative();
    return capped(group.ways * Math.max(1, group.emptyAlternatives));
  }

  private void atom(boolean isEmpty) {
    take();
    isLastEmpty = isEmpty;
    lastWays = 1;
  }

  /** Adds the last atom to the group: no quantifier follows it. */
  private void take() {
    group.isEmpty &= isLastEmpty;
    group.ways = capped(group.ways * lastWays);
    isLastEmpty = true;
    lastWays = 1;
  }

  private void alternative() {
    take();
    group.emptyAlternatives += group.isEmpty ? 1 : 0;
    group.isEmpty = true;
  }

  private void escape() {
    if (at == pattern.length()) {
      return;
    }
    char kind = pattern.charAt(at++);
    if (kind == 'Q') {
      int end = pattern.indexOf("\\E", at);
      int from = at;
      at = end < 0 ? pattern.length() : end + 2;
      if ((end < 0 ? pattern.length() : end) > from) {
        atom(false);
      }
      return;
    }
    if (at < pattern.length() && pattern.charAt(at) == '{' && "pPxNbk".indexOf(kind) >= 0) {
      at = skippedTo('}');
    } else if (kind == 'k') {
      at = skippedTo('>');
    }
    atom(EMPTY_ESCAPES.indexOf(kind) >= 0);
  }

  private int skippedTo(char last) {
    int end = pattern.indexOf(last, at);
    return end < 0 ? pattern.length() : end + 1;
  }

  private void set() {
    int depth = 1;
    boolean first = true;
    while (at < pattern.length() && depth > 0) {
      char next = pattern.charAt(at++);
      switch (next) {
        case '\\' -> at++;
        case '[' -> depth++;
        case ']' -> depth -= first ? 0 : 1;
        default -> {}
      }
      first = next == '[' || (first && next == '^');
    }
    atom(false);
  }

  private void open() {
    boolean looksAround = false;
    if (pattern.startsWith("?", at)) {
      int start = at + 1;
      looksAround =
          pattern.startsWith("=", start)
              || pattern.startsWith("!", start)
              || pattern.startsWith("<=", start)
              || pattern.startsWith("<!", start);
      at = start;
      if (!looksAround && pattern.startsWith("<", start)) {
        at = skippedTo('>');
      } else {
        while (at < pattern.length() && ":>=!)".indexOf(pattern.charAt(at)) < 0) {
          at++;
        }
        if (at == pattern.length() || pattern.charAt(at++) == ')') {
          return; // flags alone
        }
      }
    }
    take();
    outer.push(group);
    group = new Group(looksAround);
  }

  private void close() {
    alternative();
    Group closed = group;
    if (outer.isEmpty()) {
      return; // the library refuses it
    }
    group = outer.pop();
    isLastEmpty = closed.looksAround || closed.emptyAlternatives > 0;
    lastWays = capped(closed.ways * Math.max(1, closed.emptyAlternatives));
  }

  private void quantifier(char kind) {
    int from = at;
    if (kind == '{') {
      at = skippedTo('}');
    }
    String counts = pattern.substring(from, at);
    boolean isOptional = kind == '?' || kind == '*' || counts.startsWith("0");
    boolean isFixed = kind == '{' && counts.indexOf(',') < 0;
    // An empty atom can be skipped without a look at the text, others only after one.
    long ways = isLastEmpty && !isFixed ? capped(lastWays + 1) : lastWays;
    lastWays = power(ways, most(counts));
    isLastEmpty |= isOptional;
    if (at < pattern.length() && "?+".indexOf(pattern.charAt(at)) >= 0) {
      at++; // reluctant or possessive
    }
  }

  /** The largest count; without one, the library stops after a round that takes nothing. */
  private static long most(String counts) {
    long most = 1;
    long number = 0;
    for (int i = 0; i < counts.length(); i++) {
      char next = counts.charAt(i);
      number = next >= '0' && next <= '9' ? capped(10 * number + next - '0') : 0;
      most = Math.max(most, number);
    }
    return most;
  }

  private static long power(long ways, long times) {
    long power = ways;
    for (long i = 1; i < times && ways > 1 && power < MANY; i++) {
      power = capped(power * ways);
    }
    return power;
  }

  private static long capped(long ways) {
    return Math.clamp(ways, 0, MANY);
  }
}
