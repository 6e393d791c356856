package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How much a partition holds. Items that a marker hides do not count. */
public record Sizes(long bytes, long items, long logicalPartitions) {
  public static final Sizes NONE = new Sizes(0, 0, 0);

  /** What the partition says; made of its logical partitions where it says nothing. */
  public static Sizes load(PartitionStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      byte @Nullable [] stored = snapshot.get(Keys.sizes()).value();
      return stored == null ? sum(snapshot) : decode(stored);
    }
  }

  static EntryScan logicalPartitions(Snapshot snapshot) {
    return new EntryScan(snapshot, new byte[] {Keys.LOGICAL}, new byte[] {Keys.LOGICAL + 1});
  }

  static Sizes sum(Snapshot snapshot) {
    Sizes sum = NONE;
    var logical = logicalPartitions(snapshot);
    for (Entry entry = logical.next(); entry != null; entry = logical.next()) {
      sum = sum.plus(LogicalRecord.decode(entry.value()));
    }
    return sum;
  }

  Sizes plus(LogicalRecord logical) {
    return changed(LogicalRecord.EMPTY, logical);
  }

  /** After a logical partition has become another. */
  Sizes changed(LogicalRecord before, LogicalRecord after) {
    return new Sizes(
        bytes + after.sizeBytes() - before.sizeBytes(),
        items + after.items() - before.items(),
        logicalPartitions + (after.items() > 0 ? 1 : 0) - (before.items() > 0 ? 1 : 0));
  }

  public Sizes plus(Sizes other) {
    return new Sizes(
        bytes + other.bytes, items + other.items, logicalPartitions + other.logicalPartitions);
  }

  static Sizes decode(byte[] stored) {
    var in = ByteBuffer.wrap(stored);
    return new Sizes(in.getLong(), in.getLong(), in.getLong());
  }

  byte[] encode() {
    return ByteBuffer.allocate(24).putLong(bytes).putLong(items).putLong(logicalPartitions).array();
  }
}
