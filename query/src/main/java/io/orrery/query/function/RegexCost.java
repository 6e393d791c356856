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

  private final String pattern;
  private final Deque<Long> outer = new ArrayDeque<>();
  private int at;
  private long sum;
  private long last;

  private RegexCost(String pattern) {
    this.pattern = pattern;
  }

  /** The largest product of counts nested in each other, roughly; never below it. */
  static long of(String pattern) {
    return pattern.indexOf('{') < 0 ? 1 : new RegexCost(pattern).run();
  }

  private long run() {
    while (at < pattern.length()) {
      switch (pattern.charAt(at++)) {
        case '\\' -> {
          at++;
          atom();
        }
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
    return sum;
  }

  private void atom() {
    last = 1;
    sum = capped(sum + 1);
  }

  private void repeat() {
    long count = 0;
    long number = 0;
    while (at < pattern.length() && pattern.charAt(at) != '}') {
      char digit = pattern.charAt(at++);
      number = digit >= '0' && digit <= '9' ? capped(10 * number + digit - '0') : 0;
      count = Math.max(count, number);
    }
    long repeated = capped(last * Math.max(1, count));
    sum = capped(sum - last + repeated);
    last = repeated;
  }

  private static long capped(long cost) {
    return Math.clamp(cost, 0, MANY);
  }
}
