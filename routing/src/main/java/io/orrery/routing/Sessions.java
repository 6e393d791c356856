package io.orrery.routing;

import io.orrery.operation.Answer.Position;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ReadInSession;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds reads to what their clients have seen before. Here all that was answered is visible at
 * once, so a read waits only when its token comes from elsewhere, or from a time that a restore
 * undid.
 */
final class Sessions {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private final Catalog catalog;
  private final Partitions partitions;
  private final ItemTasks tasks;

  Sessions(Catalog catalog, Partitions partitions, ItemTasks tasks) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.tasks = tasks;
  }

  /** Whether the ranges that the read concerns have reached what it requires. */
  boolean isReached(ReadInSession request) {
    return behind(request).isEmpty();
  }

  private List<MappedRange> behind(ReadInSession request) {
    ContainerEntry container = catalog.image().container(request.container());
    return container == null
        ? List.of()
        : request.lsnByRange().entrySet().stream()
            .flatMap(seen -> behind(container, seen.getKey(), seen.getValue()))
            .filter(range -> concerns(request.read(), container, range))
            .toList();
  }

  private Stream<MappedRange> behind(ContainerEntry container, String id, long lsn) {
    EpkRange epks = container.map().epksOf(id);
    // Of a range that never was nothing can be said.
    return epks == null
        ? Stream.of()
        : container.map().overlapping(epks).stream().filter(range -> partitions.lsn(range) < lsn);
  }

  private boolean concerns(Operation read, ContainerEntry container, MappedRange range) {
    if (read instanceof Operation.ReadItem item) {
      return container.map().find(tasks.of(item, container).key().epk()).equals(range);
    }
    return true;
  }

  /** Waits until it is reached; returns the position of a range that stays behind, or null. */
  @Nullable Position await(ReadInSession request) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<MappedRange> behind = behind(request);
    behind.forEach(partitions::confirm);
    while (!behind.isEmpty() && System.nanoTime() - deadline <= 0 && sleep()) {
      behind = behind(request);
    }
    return behind.isEmpty() ? null : position(behind.getFirst());
  }

  /** False when the thread was interrupted. */
  private static boolean sleep() {
    try {
      Thread.sleep(LOOK_EVERY);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Position position(MappedRange range) {
    long lsn = partitions.lsn(range);
    return new Position(range.id(), lsn, lsn);
  }
}
