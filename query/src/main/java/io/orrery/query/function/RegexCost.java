package io.orrery.query.function;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often a pattern repeats at one place of the text by its counts alone. The library runs
 * through {@code (?:^{9999}){9999}} without looking at a character, where the count of looks at the
 * text cannot stop it.
 */
final class RegexCost {
  private static final long MANY = Integer.MAX_VALUE;

  /** Escapes whose braces hold a name or a code, not a count. */
  private static final String BRACED_ESCAPES = "pPxNbk";

  private final String pattern;
  private final Deque<Long> outer = new ArrayDeque<>();
  private int at;
  private long sum;
  private long last = 1;
  private long product = 1;
  private boolean isHardToRead;

  private RegexCost(String pattern) {
    this.pattern = pattern;
  }

  /**
   * At least the largest product of counts nested in each other. Where groups cannot be told from
   * quoted text and comments, all counts are taken as nested.
   */
  static long of(String pattern) {
    return pattern.indexOf('{') < 0 ? 1 : new RegexCost(pattern).run();
  }

  private long run() {
    isHardToRead = pattern.contains("\\Q") || pattern.indexOf('#') >= 0;
    while (at < pattern.length()) {
      switch (pattern.charAt(at++)) {
        case '\\' -> escape();
        case '[' -> set();
        case '(' -> {
          outer.push(sum);
          sum = 0;
          last = 1;
        }
        case ')' -> {
          last = Math.max(1, sum);
          sum = capped(last + (outer.isEmpty() ? 0 : outer.pop()));
        }
        case '{' -> repeat();
        default -> atom();
      }
    }
    while (!outer.isEmpty()) {
      sum = capped(sum + outer.pop());
    }
    return isHardToRead ? product : sum;
  }

  private void atom() {
    last = 1;
    sum = capped(sum + 1);
  }

  private void escape() {
    boolean isBraced =
        at + 1 < pattern.length()
            && BRACED_ESCAPES.indexOf(pattern.charAt(at)) >= 0
            && pattern.charAt(at + 1) == '{';
    int end = isBraced ? pattern.indexOf('}', at) : -1;
    at = end < 0 ? at + 1 : end + 1;
    atom();
  }

  /** A set of characters is one; what looks like a group inside is none. */
  private void set() {
    int depth = 1;
    isHardToRead |= pattern.startsWith("]", at) || pattern.startsWith("^]", at);
    while (at < pattern.length() && depth > 0) {
      switch (pattern.charAt(at++)) {
        case '\\' -> at++;
        case '[' -> depth++;
        case ']' -> depth--;
        case '(', ')', '{' -> isHardToRead = true;
        default -> {}
      }
    }
    atom();
  }

  private void repeat() {
    long count = 1;
    long number = 0;
    while (at < pattern.length() && pattern.charAt(at) != '}') {
      char digit = pattern.charAt(at++);
      number = digit >= '0' && digit <= '9' ? capped(10 * number + digit - '0') : 0;
      count = Math.max(count, number);
    }
    product = capped(product * count);
    long repeated = capped(last * count);
    sum = capped(sum - last + repeated);
    last = repeated;
  }

  private static long capped(long cost) {
    return Math.clamp(cost, 0, MANY);
  }
}
