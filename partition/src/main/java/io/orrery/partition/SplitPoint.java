package io.orrery.partition;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import org.jspecify.annotations.Nullable;

/** Finds where a partition is cut in two. */
public final class SplitPoint {
  private SplitPoint() {}

  /**
   * The key that leaves about half of the data below it; null when all of it has one effective
   * partition key, or there is none.
   */
  public static @Nullable EffectivePartitionKey byData(PartitionStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      double half = Sizes.sum(snapshot).bytes() / 2.0;
      EffectivePartitionKey best = null;
      EffectivePartitionKey last = null;
      double bestDistance = Double.MAX_VALUE;
      long below = 0;
      var logical = Sizes.logicalPartitions(snapshot);
      for (Entry entry = logical.next(); entry != null; entry = logical.next()) {
        EffectivePartitionKey epk = Keys.epkOf(Keys.logicalPartitionOf(entry.key()));
        double distance = Math.abs(below - half);
        if (last != null && !epk.equals(last) && distance < bestDistance) {
          best = epk;
          bestDistance = distance;
        }
        if (below > half && best != null) {
          break; // it only gets worse
        }
        last = epk;
        below += LogicalRecord.decode(entry.value()).sizeBytes();
      }
      return best;
    }
  }

  /** The middle of a range of the hash space, whatever lies there; null when it has none. */
  public static @Nullable EffectivePartitionKey midpoint(EpkRange range, Hashing hashing) {
    EffectivePartitionKey middle = EffectivePartitionKey.between(range, hashing);
    return range.contains(middle) && !middle.equals(range.min()) ? middle : null;
  }
}
