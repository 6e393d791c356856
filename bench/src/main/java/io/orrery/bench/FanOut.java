package io.orrery.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The same queries on two servers that hold the same items, in one and in five partitions. */
final class FanOut {
  static final int ROWS = 10_000;
  private static final int PAGE = 1_000;
  private static final int TOP = 10;
  private static final int TOP_REPEATS = 50;
  private static final double WARM_UP_SECONDS = 6;
  private static final String DRAIN = "{\"query\":\"SELECT TOP " + ROWS + " * FROM c\"}";
  private static final String ORDER =
      "{\"query\":\"SELECT TOP " + TOP + " * FROM c ORDER BY c.rank DESC\"}";

  private final Child one;
  private final Child five;
  private final int rounds;

  FanOut(Child one, Child five, int rounds) {
    this.one = one;
    this.five = five;
    this.rounds = rounds;
  }

  void measure() {
    measure("fan-out, 10,000 rows", DRAIN, ROWS, 1);
    measure("fan-out, order by + top 10", ORDER, TOP, TOP_REPEATS);
  }

  /** In turn, so that both see the same weather; both are warmed up with the query alike. */
  private void measure(String variant, String query, int rows, int repeats) {
    warmUp(one, query, rows);
    warmUp(five, query, rows);
    List<Double> onOne = new ArrayList<>();
    List<Double> onFive = new ArrayList<>();
    for (int round = 0; round < 3 * rounds; round++) {
      onOne.add(seconds(one, query, rows, repeats));
      onFive.add(seconds(five, query, rows, repeats));
    }
    System.out.printf(
        Locale.ROOT,
        "ratio: %.2f (%s, time with 5 partitions over time with 1) %.1f ms, %.1f ms%n",
        median(onFive) / median(onOne),
        variant,
        1e3 * median(onFive) / repeats,
        1e3 * median(onOne) / repeats);
  }

  private static void warmUp(Child server, String query, int rows) {
    double seconds = 0;
    while (seconds < WARM_UP_SECONDS) {
      seconds += seconds(server, query, rows, 1);
    }
  }

  private static double seconds(Child server, String query, int rows, int repeats) {
    double seconds = 0;
    for (int i = 0; i < repeats; i++) {
      seconds += Drain.of(server, query, PAGE).expect(rows).seconds();
    }
    return seconds;
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }
}
