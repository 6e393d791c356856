package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.operation.PartitionKey;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;

/** The items of a partition that a feed covers. */
public sealed interface FeedSlice {

  record OneKey(LogicalKey key) implements FeedSlice {}

  /**
   * A range of hashes.
   *
   * @param prefix what the keys begin with; compared beside the hash, because keys can be made that
   *     share it
   */
  record Range(EpkRange range, PartitionKey prefix) implements FeedSlice {

    /** Without a prefix. */
    public Range(EpkRange range) {
      this(range, PartitionKey.EMPTY);
    }

    boolean covers(ItemRecord item) {
      boolean all = range.equals(EpkRange.ALL);
      if (all && prefix.components().isEmpty()) {
        return true;
      }
      byte[] logical = item.logicalPartition();
      return (all || range.contains(Keys.epkOf(logical))) && begins(logical);
    }

    /** Whether the key of a logical partition begins with the prefix. */
    boolean begins(byte[] logicalPartition) {
      return prefix.components().isEmpty() || Keys.keyOf(logicalPartition).beginsWith(prefix);
    }
  }
}
