package io.orrery.compat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** The requests that failed, by the reason that the client saw. */
final class Failures {
  private static final int EXAMPLE_MAX = 400;

  private final Queue<FailedRequest> requests = new ConcurrentLinkedQueue<>();

  void add(FailedRequest failed) {
    requests.add(failed);
  }

  long count() {
    return requests.size();
  }

  /** What one of each kind said. */
  Map<String, String> examples() {
    return requests.stream()
        .collect(
            Collectors.toMap(
                FailedRequest::kind, Failures::example, (first, more) -> first, TreeMap::new));
  }

  private static String example(FailedRequest failed) {
    String line = failed.text().lines().findFirst().orElse("");
    return line.substring(0, Math.min(EXAMPLE_MAX, line.length()));
  }

  /**
   * Those that should have waited, a line for each kind with how long they did.
   *
   * @param nodeHarmed whether a node was killed, ended or paused
   */
  List<String> early(boolean nodeHarmed) {
    return requests.stream()
        .filter(failed -> failed.isEarly(nodeHarmed))
        .collect(Collectors.groupingBy(FailedRequest::kind, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(each -> each.getKey() + " after " + waits(each.getValue()))
        .toList();
  }

  private static String waits(List<FailedRequest> failed) {
    return failed.stream()
        .map(FailedRequest::waited)
        .sorted()
        .map(Failures::seconds)
        .collect(Collectors.joining(", ", "", ": " + example(failed.getFirst())));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
  }

  @Override
  public String toString() {
    return requests.isEmpty()
        ? "none"
        : requests.stream()
            .collect(
                Collectors.groupingBy(FailedRequest::kind, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(each -> each.getKey() + ": " + each.getValue())
            .collect(Collectors.joining(", "));
  }
}
