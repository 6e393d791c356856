package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Removes the items of a deleted logical partition, a bounded number per commit, and at last its
 * marker. Items written after the deletion stay. So does the marker where an item cannot be read:
 * whether it was deleted is not known.
 */
record Sweep(
    Bytes logicalPartition,
    long markerLsn,
    long afterCounter,
    boolean steppedOver,
    Quarantine quarantine)
    implements Chore {
  private static final int ITEMS_PER_COMMIT = 256;

  @Override
  public @Nullable Chore run(WriteGroup group, GroupState state, Markers markers) {
    byte[] logical = logicalPartition.array();
    long present = markers.lsnOf(logicalPartition);
    if (present != markerLsn) {
      // Deleted again since: the later deletion has a sweep of its own.
      return null;
    }
    Page members =
        state
            .snapshot()
            .scan(
                Scan.forward(
                        Keys.member(logical, afterCounter + 1),
                        Keys.member(logical, Long.MAX_VALUE))
                    .atMost(ITEMS_PER_COMMIT));
    group.join();
    long last = afterCounter;
    boolean unread = steppedOver;
    for (Entry member : members.entries()) {
      if (group.isFull() || state.isFull()) {
        return from(last, unread);
      }
      last = Keys.counterOfMember(member.key());
      byte @Nullable [] value = state.get(Keys.item(last));
      if (value != null) {
        ItemRecord item = ItemRecord.decode(last, value);
        if (quarantine.takes(item)) {
          unread = true;
        } else if (item.lsn() <= markerLsn) {
          group.sweep(logical, item);
        }
      }
    }
    if (members.more()) {
      return from(last, unread);
    }
    if (!unread) {
      group.entries().removeMarker(logical);
    }
    return null;
  }

  private Sweep from(long counter, boolean unread) {
    return new Sweep(logicalPartition, markerLsn, counter, unread, quarantine);
  }
}
