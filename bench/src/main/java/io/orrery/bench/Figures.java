package io.orrery.bench;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one side.
 *
 * @param perSecond answers per second, one figure per round
 * @param cpuMicros processor time of the server per answer
 * @param generatorBusy share of the load generator's threads that was busy
 * @param latencies of all rounds, in nanoseconds
 */
record Figures(
    String name,
    List<Double> perSecond,
    double cpuMicros,
    double generatorBusy,
    Histogram latencies) {
  static final String HEADER =
      String.format(
          Locale.ROOT,
          "  %-10s %10s %19s %9s %7s %8s %8s %8s %8s %8s",
          "",
          "median/s",
          "lowest .. highest",
          "cpu us",
          "load %",
          "p50 ms",
          "p90",
          "p99",
          "p99.9",
          "max");

  double median() {
    List<Double> sorted = perSecond.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "  %-10s %,10.0f %8.0f .. %7.0f %9.1f %7.0f %8.2f %8.2f %8.2f %8.2f %8.2f",
        name,
        median(),
        Collections.min(perSecond),
        Collections.max(perSecond),
        cpuMicros,
        100 * generatorBusy,
        millis(50),
        millis(90),
        millis(99),
        millis(99.9),
        millis(100));
  }

  private double millis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }
}
