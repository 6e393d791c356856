package io.orrery.routing;

import io.orrery.partition.Partition;
import io.orrery.storage.PartitionId;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that are open. Opening one can take as long as the storage does not answer: whoever
 * wants that one waits, and nobody else.
 */
final class PartitionTable {
  private final ConcurrentMap<PartitionId, Partition> open = new ConcurrentHashMap<>();

  /** What is held while one is opened. */
  private final ConcurrentMap<PartitionId, Object> opening = new ConcurrentHashMap<>();

  @Nullable Partition get(PartitionId id) {
    return open.get(id);
  }

  Collection<Partition> all() {
    return open.values();
  }

  Set<PartitionId> ids() {
    return open.keySet();
  }

  /**
   * The partition, opened if it is not yet.
   *
   * @param opener opens it; null when it is not to be
   * @param settle is told of what was opened when all can find it
   */
  @Nullable Partition get(
      PartitionId id, Supplier<@Nullable Partition> opener, Consumer<Partition> settle) {
    synchronized (lock(id)) {
      Partition known = open.get(id);
      if (known != null) {
        return known;
      }
      Partition made = opener.get();
      if (made != null) {
        open.put(id, made);
        settle.accept(made);
      }
      return open.get(id);
    }
  }

  /** Takes one out, also one that is just being opened; blocks until it is. */
  @Nullable Partition take(PartitionId id) {
    synchronized (lock(id)) {
      return open.remove(id);
    }
  }

  /** Takes one out if it is there now. */
  @Nullable Partition remove(PartitionId id) {
    return open.remove(id);
  }

  /** Takes one out and closes it, unless somebody else has. */
  void close(PartitionId id, Partition partition) {
    if (open.remove(id, partition)) {
      partition.close();
    }
  }

  /** Those that are not wanted leave nothing behind; nobody may open them any more. */
  void forget(Collection<PartitionId> gone) {
    opening.keySet().removeAll(gone);
  }

  private Object lock(PartitionId id) {
    return opening.computeIfAbsent(id, _ -> new Object());
  }
}
