package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.storage.PartitionId;
import java.util.function.Supplier;

/** The map changed under a page; it is read again from its start. */
final class MapIsStale extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int ATTEMPTS_MAX = 20;
  private static final long SHARED_NANOS_MAX = 30_000_000_000L;

  private final transient PartitionId moved;

  MapIsStale(PartitionId moved) {
    super("The map has changed", null, false, false);
    this.moved = moved;
  }

  /**
   * Does the work, again whenever the map changes under it; blocks.
   *
   * @throws Refused when the map does not come to rest
   */
  static <T> T again(Partitions partitions, Supplier<T> work) {
    long began = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        return work.get();
      } catch (MapIsStale e) {
        // Where nodes have to agree first, that takes time rather than attempts.
        boolean over =
            partitions.shared()
                ? System.nanoTime() - began > SHARED_NANOS_MAX
                : attempt == ATTEMPTS_MAX;
        if (over || !partitions.awaitMove(e.moved)) {
          throw new Refused(new Refusal.Unavailable("The partition is moving; try again"));
        }
      }
    }
  }
}
