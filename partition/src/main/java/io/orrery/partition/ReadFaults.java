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
  /** How long after a fault the storage is asked again for what it could not read. */
  static final long RETRY_SECONDS = 600;

  private final Quarantine quarantine;
  private final Upkeep upkeep;
  private final boolean retries;
  private final List<Long> counters = new ArrayList<>();
  private @Nullable StorageFault first;

  /** How many reads have failed since the last that did not, and when the first of them did. */
  private int inARow;

  private long sinceNanos;
  private boolean steppedOver;

  /** What comes back to the items that it could not read. */
  enum Upkeep {
    EXPIRY,
    SWEEP
  }

  /**
   * The faults of one commit.
   *
   * @param retries whether it asks the storage again for what is known as unread
   */
  ReadFaults(Quarantine quarantine, Upkeep upkeep, boolean retries) {
    this.quarantine = quarantine;
    this.upkeep = upkeep;
    this.retries = retries;
  }

  /** Whether an item is left out without asking for it: the storage could not read it lately. */
  boolean leavesOut(long counter) {
    boolean left = !retries && quarantine.isUnread(counter);
    steppedOver |= left;
    return left;
  }

  /**
   * Does what concerns one item as a whole, or nothing of it.
   *
   * @return null where the storage cannot read what it takes, or could not lately
   * @throws StorageFault where nothing can be read
   */
  <T> @Nullable T attempt(WriteGroup group, long counter, Supplier<T> work) {
    if (leavesOut(counter)) {
      return null;
    }
    group.savepointWithin();
    T result;
    try {
      result = work.get();
    } catch (StorageFault e) {
      group.rollBack();
      counters.add(counter);
      add(e);
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
      var _ = report(); // the next attempt leaves these out
      throw fault;
    }
  }

  /**
   * Tells of the items that were met, at the end of the commit's evaluation.
   *
   * @return whether items were stepped over, also such as were known
   */
  boolean report() {
    if (first == null || counters.isEmpty()) {
      return steppedOver;
    }
    quarantine.addUnread(counters, first, upkeep);
    return true;
  }
}
