package io.orrery.routing;

import io.orrery.storage.PartitionId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Partitions that are sealed while others take their place, and those who wait for that. */
final class Moves {
  private static final int SECONDS_MAX = 30;
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Nodes nodes;

  /** Done when it is decided. */
  private final ConcurrentMap<PartitionId, CompletableFuture<Void>> moving =
      new ConcurrentHashMap<>();

  Moves(Nodes nodes) {
    this.nodes = nodes;
  }

  void begin(PartitionId id) {
    moving.put(id, new CompletableFuture<>());
  }

  void end(PartitionId id) {
    CompletableFuture<Void> waited = moving.remove(id);
    if (waited != null) {
      waited.complete(null);
    }
  }

  /** Waits for the end; tells whether that came in time. */
  boolean await(PartitionId id) {
    CompletableFuture<Void> waited = moving.get(id);
    try {
      if (waited == null && !nodes.isAlone()) {
        // Another node moves it: the image shows it when that is done.
        Thread.sleep(LOOK_EVERY);
      }
      if (waited != null) {
        waited.get(SECONDS_MAX, TimeUnit.SECONDS);
      }
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
