package io.orrery.routing;

import io.orrery.partition.Sizes;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Storage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Sizes of partitions that nobody has opened, for those who watch. They are read aside: whoever
 * watches waits a moment, however long the storage does not answer, and sees what was read last.
 */
final class ClosedSizes {
  private static final Duration MOMENT = Duration.ofMillis(200);

  private final Storage storage;
  private final Map<PartitionId, CompletableFuture<Sizes>> reading = new HashMap<>();
  private final Map<PartitionId, Sizes> last = new HashMap<>();

  ClosedSizes(Storage storage) {
    this.storage = storage;
  }

  /** The sizes of those, without the ones that could never be read. */
  synchronized Map<PartitionId, Sizes> of(Set<PartitionId> closed) {
    reading.keySet().retainAll(closed);
    last.keySet().retainAll(closed);
    gather();
    closed.forEach(id -> reading.computeIfAbsent(id, this::begin));
    CompletableFuture.allOf(reading.values().toArray(CompletableFuture[]::new))
        .orTimeout(MOMENT.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(e -> null)
        .join();
    gather();
    return Map.copyOf(last);
  }

  private CompletableFuture<Sizes> begin(PartitionId id) {
    return CompletableFuture.supplyAsync(
        () -> Sizes.load(storage.open(id)), Thread::startVirtualThread);
  }

  /** One that cannot be read keeps the sizes that it had. */
  private void gather() {
    reading.forEach(
        (id, sizes) -> {
          if (sizes.state() == Future.State.SUCCESS) {
            last.put(id, sizes.resultNow());
          }
        });
    reading.values().removeIf(Future::isDone);
  }
}
