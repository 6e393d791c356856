package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Batch;
import io.orrery.storage.Entry;
import io.orrery.storage.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some changes that a source has had since it was copied, brought to the copy. The history says
 * which items and logical partitions they concern; what these look like now is taken from the
 * source as it is, so that doing it again does no harm.
 */
final class CatchUp {
  private final PartitionSettings settings;
  private final Snapshot source;
  private final Snapshot target;
  private final Batch batch = new Batch();
  private final IndexEntries index;
  private final Set<Bytes> keys = new HashSet<>();
  private final Set<Bytes> logicals = new HashSet<>();
  private final Set<Long> counters = new HashSet<>();
  private Sizes sizes;

  /** Of items that the end brings into the batch. */
  private long waitingBytes;

  CatchUp(
      PartitionSettings settings,
      Snapshot source,
      Snapshot target,
      PathCounts counts,
      Sizes sizes) {
    this.settings = settings;
    this.source = source;
    this.target = target;
    this.sizes = sizes;
    counts.begin();
    index = new IndexEntries(batch, counts, IndexState.load(source, settings));
    keys.add(Bytes.of(Keys.indexState()));
  }

  Batch batch() {
    return batch;
  }

  /** Of the copy, after the batch. */
  Sizes sizes() {
    return sizes;
  }

  boolean isFull() {
    return batch.sizeBytes() + waitingBytes > Writer.GROUP_BYTES_MAX
        || index.entries() + keys.size() > Writer.GROUP_ENTRIES_MAX;
  }

  /** Takes a change over; what several changes touch is settled by {@link #finish}. */
  void take(Entry history) {
    batch.put(history.key(), history.value());
    byte[] logical = HistoryRecord.logicalPartitionOf(history.value());
    var record = HistoryRecord.decode(history.value());
    logicals.add(Bytes.of(logical));
    if (record.counter() == 0) {
      return;
    }
    move(record.counter());
    // An item that a marker hid may have lost its place to this one, and that is in no history.
    byte[] primary = Keys.primary(logical, ItemEntries.utf8(record.id()));
    byte @Nullable [] holder = target.get(primary).value();
    if (holder != null) {
      move(ByteBuffer.wrap(holder).getLong());
    }
  }

  private void move(long counter) {
    if (!counters.add(counter)) {
      return;
    }
    byte[] key = Keys.item(counter);
    ItemRecord before = item(counter, target.get(key).value());
    byte @Nullable [] present = source.get(key).value();
    ItemRecord after = item(counter, present);
    waitingBytes += present == null ? 0 : present.length;
    keys.add(Bytes.of(key));
    if (before != null && after != null) {
      index.replace(counter, touch(before), touch(after));
    } else if (before != null) {
      index.remove(counter, touch(before));
    } else if (after != null) {
      index.add(counter, touch(after));
    }
  }

  private static @Nullable ItemRecord item(long counter, byte @Nullable [] value) {
    return value == null ? null : ItemRecord.decode(counter, value);
  }

  /** Notes the entries of a version other than those of the index. */
  private IndexEntries.Version touch(ItemRecord item) {
    byte[] logical = item.logicalPartition();
    IndexEntries.Version version = ItemEntries.versionOf(item);
    keys.add(Bytes.of(Keys.member(logical, item.counter())));
    keys.add(Bytes.of(Keys.latest(item.lsn(), item.counter())));
    keys.add(Bytes.of(Keys.primary(logical, item.idBytes())));
    int ttl = TimeToLive.ownSeconds(version.content());
    if (ttl > 0) {
      keys.add(Bytes.of(Keys.expiry(item.timestampSeconds() + ttl, item.counter())));
    }
    settings
        .uniqueKeys()
        .entries(logical, version.content())
        .forEach(entry -> keys.add(Bytes.of(entry)));
    return version;
  }

  /** Gives everything that was touched the state that it has in the source. */
  void finish() {
    for (Bytes logical : logicals) {
      byte[] key = Keys.logical(logical.array());
      sizes =
          sizes.changed(
              LogicalRecord.decode(target.get(key).value()),
              LogicalRecord.decode(source.get(key).value()));
      keys.add(Bytes.of(key));
      keys.add(Bytes.of(Keys.marker(logical.array())));
    }
    List<byte[]> touched = new ArrayList<>(keys.size());
    keys.forEach(key -> touched.add(key.array()));
    List<byte @Nullable []> values = source.multiGet(touched).values();
    for (int i = 0; i < touched.size(); i++) {
      byte @Nullable [] value = values.get(i);
      if (value == null) {
        batch.delete(touched.get(i));
      } else {
        batch.put(touched.get(i), value);
      }
    }
    batch.put(Keys.sizes(), sizes.encode());
  }
}
