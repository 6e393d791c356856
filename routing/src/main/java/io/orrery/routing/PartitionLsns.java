package io.orrery.routing;

import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.Snapshot;

/** Reads the LSNs of ranges from their partitions where those are open, else from the storage. */
record PartitionLsns(Partitions partitions) implements RangeLsns {
  @Override
  public long known(MappedRange range) {
    Partition found = partitions.openOf(range);
    return found == null ? UNKNOWN : found.lsn();
  }

  @Override
  public long read(MappedRange range) {
    long known = known(range);
    if (known != UNKNOWN) {
      return known;
    }
    try (Snapshot snapshot = partitions.store(range.partition()).snapshot()) {
      var head = snapshot.head();
      return head == null ? 0 : head.lsn();
    }
  }

  @Override
  public void confirm(MappedRange range) {
    Partition found = partitions.openOf(range);
    if (found != null) {
      try {
        var _ = found.acknowledged();
      } catch (PartitionMoved e) {
        partitions.forget(range, found);
      }
    }
  }
}
