package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.storage.PartitionId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Items that maintenance cannot read. It steps over them and goes on with the rest; clients can
 * still replace and delete them.
 */
final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  /** A damage that concerns more than so many is counted no further. */
  private static final int ITEMS_MAX = 10_000;

  private final PartitionId partition;
  private final Set<Long> counters = ConcurrentHashMap.newKeySet();

  Quarantine(PartitionId partition) {
    this.partition = partition;
  }

  /** How many items were found since the partition was opened or read as a whole last. */
  int size() {
    return counters.size();
  }

  /** All items are looked at again. */
  void clear() {
    counters.clear();
  }

  /** Whether the record is broken, so that not even the key of the item is known. */
  boolean takes(ItemRecord item) {
    try {
      if (item.bodyBytes() >= 0) {
        return false;
      }
      add(item, new IndexOutOfBoundsException("The record ends before its body"));
    } catch (IndexOutOfBoundsException e) {
      add(item, e);
    }
    return true;
  }

  /** Takes an item that cannot be read; the log tells of it once. */
  void add(ItemRecord item, RuntimeException cause) {
    if (counters.size() < ITEMS_MAX && counters.add(item.counter())) {
      LOG.warn(
          "partition {}: item {} of document {} cannot be read and is left out of maintenance;"
              + " replace or delete it",
          partition.value(),
          id(item),
          item.counter(),
          cause);
    }
  }

  static String id(ItemRecord item) {
    try {
      return item.id();
    } catch (RuntimeException unreadable) {
      return "without a readable id";
    }
  }
}
