package io.orrery.compat;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** How often requests failed, by the reason that the client saw. */
final class Failures {
  private static final int EXAMPLE_MAX = 400;

  private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();
  private final Map<String, String> examples = new ConcurrentSkipListMap<>();

  void add(String reason, String example) {
    add(reason, 1);
    examples.putIfAbsent(reason, example.substring(0, Math.min(EXAMPLE_MAX, example.length())));
  }

  void add(String reason, long times) {
    counts.computeIfAbsent(reason, absent -> new AtomicLong()).addAndGet(times);
  }

  /** One that never got an answer. */
  void add(Throwable broken) {
    for (Throwable cause = broken; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTimeoutException) {
        add("no answer", cause.toString());
        return;
      }
      if (cause instanceof ConnectException) {
        add("no connection", cause.toString());
        return;
      }
    }
    add("broken connection", broken.toString());
  }

  void addAll(Failures others) {
    others.counts.forEach((reason, count) -> add(reason, count.get()));
    others.examples.forEach(examples::putIfAbsent);
  }

  long count() {
    return counts.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** What one of each kind said. */
  Map<String, String> examples() {
    return Map.copyOf(examples);
  }

  @Override
  public String toString() {
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .map(each -> each.getKey() + ": " + each.getValue())
            .collect(Collectors.joining(", "));
  }
}
