package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.PartitionKey;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A partition key whose items take much of a partition. */
public record LargeKey(PartitionKey key, long bytes, long items) {
  private static final Comparator<Found> BY_SIZE =
      Comparator.comparingLong(found -> found.sizes.sizeBytes());

  /** What a scan keeps of a logical partition. */
  private record Found(Bytes logical, LogicalRecord sizes) {
    LargeKey named() {
      return new LargeKey(Keys.keyOf(logical.array()), sizes.sizeBytes(), sizes.items());
    }
  }

  /** The largest first, so many at most; reads the record of every logical partition. */
  public static List<LargeKey> of(PartitionStore store, int most) {
    var smallestFirst = new PriorityQueue<Found>(BY_SIZE);
    try (Snapshot snapshot = store.snapshot()) {
      var logical = Sizes.logicalPartitions(snapshot);
      for (Entry entry = logical.next(); entry != null; entry = logical.next()) {
        LogicalRecord sizes = LogicalRecord.decode(entry.value());
        if (sizes.items() > 0) {
          smallestFirst.add(new Found(Bytes.of(Keys.logicalPartitionOf(entry.key())), sizes));
        }
        if (smallestFirst.size() > most) {
          smallestFirst.remove();
        }
      }
    }
    return smallestFirst.stream().sorted(BY_SIZE.reversed()).map(Found::named).toList();
  }
}
