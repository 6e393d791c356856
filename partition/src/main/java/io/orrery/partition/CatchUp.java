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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Some changes that a source has had since it was copied, brought to the copy. The history says
 * which items and logical partitions they concern; what these look like now is taken from the
 * source as it is, so that doing it again does no harm. Everything else follows from the versions
 * of the items that the copy had and has: the source may have gone on since they were read.
 */
final class CatchUp {
  private static final byte[] NOTHING = {};

  private final PartitionSettings settings;
  private final Fetched source;
  private final Fetched target;
  private final Batch batch = new Batch();
  private final IndexEntries index;
  private final Set<Bytes> logicals = new HashSet<>();
  private final Set<Long> counters = new HashSet<>();
  private Sizes sizes;

  CatchUp(
      PartitionSettings settings,
      Snapshot source,
      Snapshot target,
      PathCounts counts,
      Sizes sizes) {
    this.settings = settings;
    this.source = new Fetched(source);
    this.target = new Fetched(target);
    this.sizes = sizes;
    counts.begin();
    index = new IndexEntries(batch, counts, IndexState.load(source, settings));
  }

  Batch batch() {
    return batch;
  }

  /** Of the copy, after the batch. */
  Sizes sizes() {
    return sizes;
  }

  boolean isFull() {
    return batch.sizeBytes() > Writer.COMMIT_BYTES_MAX
        || index.entries() + 2 * logicals.size() > Writer.GROUP_ENTRIES_MAX;
  }

  /** Reads in two calls what is needed of some changes that are taken over next. */
  void fetch(List<Entry> history) {
    List<byte[]> items = new ArrayList<>();
    List<byte[]> primaries = new ArrayList<>();
    for (Entry entry : history) {
      var record = HistoryRecord.decode(entry.value());
      if (record.counter() != 0) {
        items.add(Keys.item(record.counter()));
        primaries.add(primary(entry, record));
      }
    }
    source.prefetch(items);
    primaries.addAll(items);
    target.prefetch(primaries);
  }

  private static byte[] primary(Entry history, HistoryRecord record) {
    byte[] logical = HistoryRecord.logicalPartitionOf(history.value());
    return Keys.primary(logical, ItemEntries.utf8(record.id()));
  }

  /** Takes a change over; what several changes touch is settled by {@link #finish}. */
  void take(Entry history) {
    batch.put(history.key(), history.value());
    var record = HistoryRecord.decode(history.value());
    logicals.add(Bytes.of(HistoryRecord.logicalPartitionOf(history.value())));
    if (record.counter() != 0) {
      move(record.counter());
      moveHolder(primary(history, record));
    }
  }

  /** Reads in one call what is needed of some items that are taken over next. */
  void fetchItems(List<Entry> items) {
    List<byte[]> keys = new ArrayList<>();
    for (Entry entry : items) {
      ItemRecord item = ItemRecord.decode(Keys.counterOfItem(entry.key()), entry.value());
      source.know(entry.key(), entry.value());
      keys.add(entry.key());
      keys.add(Keys.primary(item.logicalPartition(), item.idBytes()));
    }
    target.prefetch(keys);
  }

  /** Takes an item over, with all that belongs to it. */
  void takeItem(ItemRecord item) {
    logicals.add(Bytes.of(item.logicalPartition()));
    move(item.counter());
    moveHolder(Keys.primary(item.logicalPartition(), item.idBytes()));
  }

  /** Takes over what is kept of a logical partition, also of one without items. */
  void takeLogical(byte[] logical) {
    logicals.add(Bytes.of(logical));
  }

  /** An item that a marker hid may have lost its place to another, and that is in no history. */
  private void moveHolder(byte[] primary) {
    byte @Nullable [] holder = target.get(primary);
    if (holder != null) {
      move(ByteBuffer.wrap(holder).getLong());
    }
  }

  private void move(long counter) {
    if (!counters.add(counter)) {
      return;
    }
    byte[] key = Keys.item(counter);
    byte @Nullable [] present = source.get(key);
    Moved before = moved(counter, target.get(key));
    Moved after = moved(counter, present);
    if (before != null) {
      forget(before.item, before.version);
    }
    put(key, present);
    if (after != null) {
      remember(after.item, after.version);
    }
    if (before != null && after != null) {
      index.replace(counter, before.version, after.version);
    } else if (before != null) {
      index.remove(counter, before.version);
    } else if (after != null) {
      index.add(counter, after.version);
    }
  }

  /** An item, with its content read once for all that follows from it. */
  private record Moved(ItemRecord item, IndexEntries.Version version) {}

  private static @Nullable Moved moved(long counter, byte @Nullable [] value) {
    ItemRecord item = item(counter, value);
    // Of a broken record nothing follows.
    return item == null || !item.isWhole() ? null : new Moved(item, ItemEntries.versionOf(item));
  }

  private static @Nullable ItemRecord item(long counter, byte @Nullable [] value) {
    return value == null ? null : ItemRecord.decode(counter, value);
  }

  /** Removes the entries of a version other than those of the index. */
  private void forget(ItemRecord item, IndexEntries.Version version) {
    byte[] logical = item.logicalPartition();
    batch.delete(Keys.member(logical, item.counter()));
    batch.delete(Keys.latest(item.lsn(), item.counter()));
    expiry(item, version).forEach(batch::delete);
    release(Keys.primary(logical, item.idBytes()), item);
    settings.uniqueKeys().entries(logical, version.content()).forEach(key -> release(key, item));
  }

  /** Puts the entries of a version other than those of the index. */
  private void remember(ItemRecord item, IndexEntries.Version version) {
    byte[] logical = item.logicalPartition();
    batch.put(Keys.member(logical, item.counter()), NOTHING);
    batch.put(Keys.latest(item.lsn(), item.counter()), NOTHING);
    expiry(item, version).forEach(key -> batch.put(key, NOTHING));
    claim(Keys.primary(logical, item.idBytes()), item);
    settings.uniqueKeys().entries(logical, version.content()).forEach(key -> claim(key, item));
  }

  private static List<byte[]> expiry(ItemRecord item, IndexEntries.Version version) {
    int ttl = TimeToLive.ownSeconds(version.content());
    return ttl > 0
        ? List.of(Keys.expiry(item.timestampSeconds() + ttl, item.counter()))
        : List.of();
  }

  private void release(byte[] key, ItemRecord item) {
    byte @Nullable [] holder = get(key);
    if (holder != null && ByteBuffer.wrap(holder).getLong() == item.counter()) {
      batch.delete(key);
    }
  }

  /** Of two that have it here, one is hidden, or older than it is in the source. */
  private void claim(byte[] key, ItemRecord item) {
    byte @Nullable [] holder = get(key);
    if (holder != null) {
      long counter = ByteBuffer.wrap(holder).getLong();
      ItemRecord other = item(counter, get(Keys.item(counter)));
      if (other != null && other.isWhole() && other.lsn() > item.lsn()) {
        return;
      }
    }
    batch.put(key, ItemEntries.counterBytes(item.counter()));
  }

  /** What the copy has, with the batch. */
  private byte @Nullable [] get(byte[] key) {
    var changes = batch.changes();
    return changes.containsKey(key) ? changes.get(key) : target.get(key);
  }

  /** Gives the logical partitions that were touched the state that they have in the source. */
  void finish() {
    List<byte[]> records = logicals.stream().map(each -> Keys.logical(each.array())).toList();
    List<byte[]> markers = logicals.stream().map(each -> Keys.marker(each.array())).toList();
    target.prefetch(records);
    source.prefetch(Stream.concat(records.stream(), markers.stream()).toList());
    for (byte[] key : records) {
      LogicalRecord before = LogicalRecord.decode(target.get(key));
      sizes = sizes.changed(before, LogicalRecord.decode(source.get(key)));
      put(key, source.get(key));
    }
    markers.forEach(key -> put(key, source.get(key)));
    put(Keys.indexState(), source.get(Keys.indexState()));
    batch.put(Keys.sizes(), sizes.encode());
  }

  private void put(byte[] key, byte @Nullable [] value) {
    if (value == null) {
      batch.delete(key);
    } else {
      batch.put(key, value);
    }
  }
}
