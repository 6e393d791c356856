package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import java.util.function.Consumer;

/** Work counted while it is done; belongs to one query. */
final class QueryTally {
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

  QueryTally(Consumer<ItemRecord> unreadable) {
    this.unreadable = unreadable;
  }

  /** An item was stepped over because it is damaged. */
  void unreadable(ItemRecord item) {
    unreadable.accept(item);
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
