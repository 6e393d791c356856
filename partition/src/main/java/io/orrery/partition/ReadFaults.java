package io.orrery.partition;

import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one commit of upkeep step over what the storage cannot read, such as a damaged block: the
 * items that stand there must not keep all others. A storage that fails altogether ends the upkeep.
 */
final class ReadFaults {
  private final Quarantine quarantine;
  private final List<Long> counters = new ArrayList<>();
  private @Nullable StorageFault first;

  /** How many reads have failed since the last that did not, and when the first of them did. */
  private int inARow;

  private long sinceNanos;

  ReadFaults(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /**
   * Does what concerns one item as a whole, or nothing of it.
   *
   * @return null where the storage cannot read what it takes
   * @throws StorageFault where nothing can be read
   */
  <T> @Nullable T attempt(WriteGroup group, long counter, Supplier<T> work) {
    group.savepointWithin();
    T result;
    try {
      result = work.get();
    } catch (StorageFault e) {
      group.rollBack();
      add(e);
      counters.add(counter);
      return null;
    }
    inARow = 0;
    quarantine.isRead(counter);
    return result;
  }

  /**
   * Notes that something could not be read.
   *
   * @throws StorageFault where nothing can be read
   */
  void add(StorageFault fault) {
    first = first == null ? fault : first;
    if (inARow++ == 0) {
      sinceNanos = System.nanoTime();
    } else if (System.nanoTime() - sinceNanos > SharedGroups.FAULTS_MAX_NANOS) {
      throw fault;
    }
  }

  /**
   * Tells of the items that were stepped over, at the end of the commit's evaluation.
   *
   * @return whether there were some
   */
  boolean report() {
    if (first == null || counters.isEmpty()) {
      return false;
    }
    quarantine.addUnread(counters, first);
    return true;
  }
}
