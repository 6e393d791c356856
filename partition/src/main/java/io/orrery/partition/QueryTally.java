package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import java.util.function.Consumer;

/** Work counted while it is done; belongs to one query. */
final class QueryTally {
  private static final int ENTRIES_PER_LOOK = 4_096;

  long retrievedCount;
  long retrievedBytes;
  long outputCount;
  long outputBytes;
  long indexEntriesRead;
  long planNanos;
  long indexNanos;
  long loadNanos;
  long runNanos;
  long steps;
  private final Consumer<ItemRecord> unreadable;
  private final Runnable look;
  private int sinceLook;

  /**
   * @param look looks at the time of the query
   */
  QueryTally(Consumer<ItemRecord> unreadable, Runnable look) {
    this.unreadable = unreadable;
    this.look = look;
  }

  /** An item was stepped over because it is damaged. */
  void unreadable(ItemRecord item) {
    unreadable.accept(item);
  }

  /** Counts entries of the index; many may be read before one leads to an item. */
  void readEntries(int count) {
    indexEntriesRead += count;
    sinceLook += count;
    // A page whose time is over still makes progress: a few entries may lead to a row.
    if (sinceLook >= ENTRIES_PER_LOOK) {
      sinceLook = 0;
      look.run();
    }
  }

  QueryWork work() {
    return new QueryWork(
        retrievedCount,
        retrievedBytes,
        outputCount,
        outputBytes,
        indexEntriesRead,
        planNanos,
        indexNanos,
        loadNanos,
        runNanos,
        steps);
  }
}
