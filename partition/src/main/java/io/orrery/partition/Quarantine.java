package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Items that maintenance or queries cannot read and step over. Clients can replace and delete those
 * whose record or text is broken, but not those in a block that the storage cannot read.
 */
final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  /** A damage that concerns more than so many is counted no further. */
  private static final int ITEMS_MAX = 10_000;

  private final PartitionId partition;
  private final Set<Long> counters = ConcurrentHashMap.newKeySet();

  /** Those whose block the storage could not read, by what met them; such a fault may pass. */
  private final Map<Long, ReadFaults.Upkeep> unread = new ConcurrentHashMap<>();

  /** Those that were unread until they were asked for again: the log has told of them. */
  private final Map<Long, ReadFaults.Upkeep> logged = new ConcurrentHashMap<>();

  Quarantine(PartitionId partition) {
    this.partition = partition;
  }

  /** How many items were found since the partition was opened or read as a whole last. */
  int size() {
    return counters.size() + unread.size();
  }

  /** All items are looked at again. */
  void clear() {
    counters.clear();
    unread.clear();
    logged.clear();
  }

  /** Whether the record is broken, so that not even the key of the item is known. */
  boolean takes(ItemRecord item) {
    boolean broken = !item.isWhole();
    if (broken) {
      add(item);
    }
    return broken;
  }

  /** Takes an item that cannot be read. */
  void add(ItemRecord item) {
    add(item, new IndexOutOfBoundsException("The record or its text ends too early"));
  }

  /** Takes an item that cannot be read; the log tells of it once. */
  void add(ItemRecord item, RuntimeException cause) {
    if (counters.size() < ITEMS_MAX && counters.add(item.counter())) {
      LOG.warn(
          "partition {}: item {} of document {} cannot be read and is left out of maintenance"
              + " and queries; replace or delete it",
          partition.value(),
          id(item),
          item.counter(),
          cause);
    }
  }

  /** Takes items that the storage could not read; the log names each once, until it is read. */
  void addUnread(List<Long> found, StorageFault first, ReadFaults.Upkeep by) {
    List<Long> added = new ArrayList<>();
    for (long counter : found) {
      if (unread.size() < ITEMS_MAX && unread.putIfAbsent(counter, by) == null) {
        if (logged.remove(counter) == null) {
          added.add(counter);
        }
      }
    }
    if (!added.isEmpty()) {
      LOG.warn(
          "partition {}: the storage cannot read {} items, beginning with that of document {};"
              + " maintenance leaves them out and tries again later. See \"Damaged blocks\" in"
              + " docs/operations.md",
          partition.value(),
          added.size(),
          added.getFirst(),
          first);
    }
  }

  /** Not even which items a deleted key has can be read. */
  void logUnreadKey(byte[] logical, StorageFault fault) {
    LOG.warn(
        "partition {}: the storage cannot list the items of deleted key {}; they are removed once"
            + " it can. See \"Damaged blocks\" in docs/operations.md",
        partition.value(),
        Keys.keyOf(logical),
        fault);
  }

  /** Whether the storage could not read the item when it was asked for last. */
  boolean isUnread(long counter) {
    return unread.containsKey(counter);
  }

  /** The storage has read the item. */
  void isRead(long counter) {
    unread.remove(counter);
    logged.remove(counter);
  }

  /** What that upkeep could not read it looks for again, or no longer needs. */
  void forgetUnread(ReadFaults.Upkeep by) {
    logged.values().removeIf(by::equals);
    unread.forEach(
        (counter, found) -> {
          if (found == by) {
            logged.put(counter, by);
            unread.remove(counter, by);
          }
        });
  }

  static String id(ItemRecord item) {
    return item.isWhole() ? item.id() : "without a readable id";
  }
}
