package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Knows from when to when all that was asked ran: which kinds overlapped, and that in one range the
 * LSNs of answers keep to the order of what ended before another began.
 */
final class Tally {
  private final AtomicLong now = new AtomicLong();
  private final Timeline timeline;
  private final Matrix matrix;
  private final Queue<Span> ended = new ConcurrentLinkedQueue<>();

  Tally(Timeline timeline, Matrix matrix) {
    this.timeline = timeline;
    this.matrix = matrix;
  }

  /** Something from its beginning to its end. */
  private record Span(String kind, long begin, long end, @Nullable Placed placed, boolean wrote) {}

  /** Something that has begun. */
  final class Begun {
    private final String kind;
    private final int settled = timeline.settled();
    private final long begin = now.incrementAndGet();

    private Begun(String kind) {
      this.kind = kind;
    }

    /** The moments at which it may have been evaluated. */
    List<Moment> end(@Nullable Placed placed, boolean wrote) {
      boolean undone = placed != null && placed.result().isUndone();
      ended.add(
          new Span(undone ? kind + "Undone" : kind, begin, now.incrementAndGet(), placed, wrote));
      return timeline.since(settled);
    }

    List<Moment> end() {
      return end(null, false);
    }
  }

  Begun begin(String kind) {
    return new Begun(kind);
  }

  /** How many kinds of work there are that work of this kind has not overlapped so far. */
  int missing(String kind) {
    return matrix.missing(kind);
  }

  /** How much has begun and ended so far. */
  long now() {
    return now.get();
  }

  /** Counts what overlapped since the last time, while nothing runs. */
  void settle() {
    List<Span> spans = new ArrayList<>(ended);
    ended.clear();
    spans.sort(Comparator.comparingLong(Span::begin));
    List<Span> running = new ArrayList<>();
    for (Span span : spans) {
      running.removeIf(other -> other.end < span.begin);
      running.forEach(other -> matrix.meet(other.kind, span.kind));
      running.add(span);
    }
    order(spans);
  }

  /** One end of a span. */
  private record Edge(long at, Span span) {}

  private static void order(List<Span> spans) {
    List<Edge> edges = new ArrayList<>();
    for (Span span : spans) {
      if (span.placed != null) {
        edges.add(new Edge(span.begin, span));
        edges.add(new Edge(span.end, span));
      }
    }
    edges.sort(Comparator.comparingLong(Edge::at));
    Map<String, Long> named = new HashMap<>();
    Map<Span, Long> floors = new HashMap<>();
    Set<String> written = new HashSet<>();
    for (Edge edge : edges) {
      Span span = edge.span;
      Placed placed = span.placed;
      if (placed == null) {
        continue;
      }
      if (edge.at == span.begin) {
        floors.put(span, named.getOrDefault(placed.range(), 0L));
        continue;
      }
      long floor = floors.getOrDefault(span, 0L) + (span.wrote ? 1 : 0);
      assertTrue(placed.lsn() >= floor, () -> "went back behind " + floor + ": " + span);
      assertTrue(
          !span.wrote || written.add(placed.range() + "@" + placed.lsn()),
          () -> "two writes of one LSN: " + span);
      named.merge(placed.range(), placed.lsn(), Math::max);
    }
  }
}
