package io.orrery.routing;

import io.orrery.operation.DatabaseFigures.OfReshapes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The splits and merges since the start: the latest by name, the others by number. */
final class ReshapeLog {
  private static final int REMEMBERED_MAX = 200;

  private final Deque<Reshape> reshapes = new ArrayDeque<>();
  private final Map<Ending, Long> endings = new HashMap<>();

  private record Ending(Reshape.Kind kind, Reshape.Phase phase) {}

  synchronized void add(Reshape begun) {
    reshapes.addFirst(begun);
    while (reshapes.size() > REMEMBERED_MAX) {
      reshapes.removeLast();
    }
  }

  synchronized void ended(Reshape reshape) {
    Reshape.Report report = reshape.report();
    endings.merge(new Ending(report.plan().kind(), report.phase()), 1L, Long::sum);
  }

  /** The latest first. */
  synchronized List<Reshape> latest() {
    return List.copyOf(reshapes);
  }

  @Nullable Reshape find(long id) {
    return latest().stream().filter(reshape -> reshape.id() == id).findFirst().orElse(null);
  }

  synchronized List<OfReshapes> figures() {
    return Arrays.stream(Reshape.Kind.values()).map(this::figures).toList();
  }

  private OfReshapes figures(Reshape.Kind kind) {
    long running =
        reshapes.stream()
            .map(Reshape::report)
            .filter(report -> report.plan().kind() == kind && !report.phase().isEnd())
            .count();
    return new OfReshapes(
        kind.name().toLowerCase(Locale.ROOT),
        running,
        endings.getOrDefault(new Ending(kind, Reshape.Phase.SUCCEEDED), 0L),
        endings.getOrDefault(new Ending(kind, Reshape.Phase.FAILED), 0L));
  }
}
