package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The logical partitions that were deleted as a whole and whose items still wait for removal, each
 * with the LSN of its deletion. An immutable image: changes make a new one.
 */
record Markers(Map<Bytes, Long> lsnByLogicalPartition) {
  static final Markers NONE = new Markers(Map.of());

  Markers {
    // There may be thousands of markers, and a group may add one per key: not copied again.
    lsnByLogicalPartition = Collections.unmodifiableMap(lsnByLogicalPartition);
  }

  static Markers load(PartitionStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      return load(snapshot);
    }
  }

  static Markers load(Snapshot snapshot) {
    var found = new HashMap<Bytes, Long>();
    var markers = new EntryScan(snapshot, Keys.markersStart(), Keys.markersEnd());
    for (Entry entry = markers.next(); entry != null; entry = markers.next()) {
      found.put(
          Bytes.of(Keys.logicalPartitionOf(entry.key())), ByteBuffer.wrap(entry.value()).getLong());
    }
    return new Markers(found);
  }

  /** That of one logical partition, if it has one. */
  static Markers of(byte[] logical, Snapshot snapshot) {
    byte @Nullable [] marker = snapshot.get(Keys.marker(logical)).value();
    return marker == null ? NONE : NONE.with(Bytes.of(logical), ByteBuffer.wrap(marker).getLong());
  }

  boolean hides(ItemRecord item) {
    if (lsnByLogicalPartition.isEmpty()) {
      return false;
    }
    // A broken record has no LSN: without a marker of its own key it must stay visible.
    Long deleted = lsnByLogicalPartition.get(Bytes.of(item.logicalPartition()));
    return deleted != null && item.lsn() <= deleted;
  }

  /** Zero where there is no marker: every whole item is newer than that. */
  long lsnOf(Bytes logicalPartition) {
    return lsnByLogicalPartition.getOrDefault(logicalPartition, 0L);
  }

  Markers with(Bytes logicalPartition, long lsn) {
    var changed = new HashMap<>(lsnByLogicalPartition);
    changed.put(logicalPartition, lsn);
    return new Markers(changed);
  }

  Markers without(List<Bytes> logicalPartitions) {
    var changed = new HashMap<>(lsnByLogicalPartition);
    logicalPartitions.forEach(changed::remove);
    return new Markers(changed);
  }
}
