package io.orrery.server;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts answers and their times by route and status. Two additions per request; the text is made
 * when somebody asks.
 */
final class RequestMeter {
  private static final long[] BOUNDS_MICROS = {
    100,
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000
  };
  private static final String NAME = "orrery_request_seconds";

  private final Map<String, Map<Integer, Times>> byRoute = new ConcurrentHashMap<>();

  private static final class Times {
    final LongAdder[] answers = new LongAdder[BOUNDS_MICROS.length + 1];
    final LongAdder nanos = new LongAdder();

    Times() {
      for (int i = 0; i < answers.length; i++) {
        answers[i] = new LongAdder();
      }
    }
  }

  void answered(String route, int status, long nanos) {
    Map<Integer, Times> byStatus = byRoute.get(route);
    if (byStatus == null) {
      byStatus = byRoute.computeIfAbsent(route, name -> new ConcurrentHashMap<>());
    }
    Times times = byStatus.get(status);
    if (times == null) {
      times = byStatus.computeIfAbsent(status, code -> new Times());
    }
    times.answers[slotOf(nanos / 1_000)].increment();
    times.nanos.add(nanos);
  }

  /** A histogram in the Prometheus text format. */
  String text() {
    var text = new StringBuilder();
    text.append("# HELP ").append(NAME).append(" Time from request to answer.\n");
    text.append("# TYPE ").append(NAME).append(" histogram\n");
    new ConcurrentSkipListMap<>(byRoute)
        .forEach(
            (route, byStatus) ->
                new ConcurrentSkipListMap<>(byStatus)
                    .forEach((status, times) -> append(text, route, status, times)));
    return text.toString();
  }

  private static void append(StringBuilder text, String route, int status, Times times) {
    String labels = "route=\"" + route + "\",status=\"" + status + "\"";
    long sum = 0;
    for (int i = 0; i < times.answers.length; i++) {
      sum += times.answers[i].sum();
      String bound = i < BOUNDS_MICROS.length ? seconds(BOUNDS_MICROS[i] / 1e6) : "+Inf";
      line(text, "_bucket", labels + ",le=\"" + bound + "\"", Long.toString(sum));
    }
    line(text, "_sum", labels, seconds(times.nanos.sum() / 1e9));
    line(text, "_count", labels, Long.toString(sum));
  }

  private static void line(StringBuilder text, String part, String labels, String value) {
    text.append(NAME).append(part).append('{').append(labels).append("} ").append(value);
    text.append('\n');
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.9f", value).replaceFirst("\\.?0+$", "");
  }

  private static int slotOf(long micros) {
    int slot = 0;
    while (slot < BOUNDS_MICROS.length && micros > BOUNDS_MICROS[slot]) {
      slot++;
    }
    return slot;
  }
}
