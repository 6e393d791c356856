package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.value.ItemBody;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The entries that belong to an item, found and kept together below a group's transactions. */
final class ItemEntries {
  private final PartitionSettings settings;
  private final GroupState state;
  private final IndexEntries index;
  private Visibility visibility;
  private Sizes sizes;
  private Visibility visibilityBefore;
  private Sizes sizesBefore;

  ItemEntries(
      PartitionSettings settings,
      GroupState state,
      IndexEntries index,
      Visibility visibility,
      Sizes sizes) {
    this.settings = settings;
    this.state = state;
    this.index = index;
    this.visibility = visibility;
    this.sizes = sizes;
    this.visibilityBefore = visibility;
    this.sizesBefore = sizes;
  }

  /** What is written from now on can be undone. */
  void savepoint() {
    visibilityBefore = visibility;
    sizesBefore = sizes;
    state.savepoint();
    index.savepoint();
  }

  /** Undoes what was written since the savepoint. */
  void rollBack() {
    visibility = visibilityBefore;
    sizes = sizesBefore;
    state.rollBack();
    index.rollBack();
  }

  /** Of the partition, after what the group has done so far. */
  Sizes sizes() {
    return sizes;
  }

  IndexEntries index() {
    return index;
  }

  Markers markers() {
    return visibility.markers();
  }

  long nowSeconds() {
    return visibility.nowSeconds();
  }

  boolean isExpired(ItemRecord item) {
    return visibility.isExpired(item);
  }

  /** Marks a logical partition as deleted: nothing written up to the LSN is seen any more. */
  void hide(byte[] logical, long lsn) {
    state.put(Keys.marker(logical), counterBytes(lsn));
    byte[] key = Keys.logical(logical);
    sizes = sizes.changed(LogicalRecord.decode(state.get(key)), LogicalRecord.EMPTY);
    state.delete(key);
    visibility = visibility.with(markers().with(Bytes.of(logical), lsn));
  }

  /** A deleted item of the same id may still wait for its removal: its place is needed now. */
  @Nullable ItemRecord findHidden(byte[] logical, String id) {
    ItemRecord old = lookUp(logical, id);
    return old != null && markers().hides(old) ? old : null;
  }

  /** Items whose time is over and that have the item's id or the values of a unique key. */
  List<ItemRecord> expiredBeside(byte[] logical, ItemBody item) {
    if (!settings.timeToLive().isOn()) {
      return List.of();
    }
    Map<Long, ItemRecord> found = new LinkedHashMap<>();
    noteExpired(lookUp(logical, item.id()), found);
    for (byte[] entry : settings.uniqueKeys().entries(logical, item.content())) {
      byte @Nullable [] holder = state.get(entry);
      noteExpired(holder == null ? null : load(ByteBuffer.wrap(holder).getLong()), found);
    }
    return List.copyOf(found.values());
  }

  private void noteExpired(@Nullable ItemRecord item, Map<Long, ItemRecord> into) {
    if (item != null && !markers().hides(item) && isExpired(item)) {
      into.put(item.counter(), item);
    }
  }

  /** A version no longer ends by itself. */
  void forgetExpiry(Value.Obj content, ItemRecord version) {
    int ttl = TimeToLive.ownSeconds(content);
    if (ttl > 0) {
      state.delete(Keys.expiry(version.timestampSeconds() + ttl, version.counter()));
    }
  }

  /** Removes an item that a marker hides; sizes no longer count it. */
  void removeSwept(byte[] logical, ItemRecord item) {
    state.delete(Keys.item(item.counter()));
    state.delete(Keys.member(logical, item.counter()));
    state.delete(Keys.latest(item.lsn(), item.counter()));
    deleteIfOf(item.counter(), Keys.primary(logical, item.idBytes()));
    IndexEntries.Version version = versionOf(item);
    release(logical, version.content(), item.counter());
    forgetExpiry(version.content(), item);
    index.remove(item.counter(), version);
  }

  /** What leads to a hidden item may lead to a newer one by now. */
  private void deleteIfOf(long counter, byte[] key) {
    byte @Nullable [] holder = state.get(key);
    if (holder != null && ByteBuffer.wrap(holder).getLong() == counter) {
      state.delete(key);
    }
  }

  /** Whether another item has the values of a unique key. */
  boolean hasTakenValues(byte[] logical, Value.Obj content, long counter) {
    for (byte[] entry : settings.uniqueKeys().entries(logical, content)) {
      byte @Nullable [] holder = state.get(entry);
      if (holder != null) {
        ItemRecord other = load(ByteBuffer.wrap(holder).getLong());
        if (other != null && other.counter() != counter && !visibility.hides(other)) {
          return true;
        }
      }
    }
    return false;
  }

  void claim(byte[] logical, Value.Obj content, long counter) {
    for (byte[] entry : settings.uniqueKeys().entries(logical, content)) {
      state.put(entry, counterBytes(counter));
    }
  }

  void release(byte[] logical, Value.Obj content, long counter) {
    for (byte[] entry : settings.uniqueKeys().entries(logical, content)) {
      deleteIfOf(counter, entry);
    }
  }

  /** Ends the deletion of logical partitions after the last item of each is gone. */
  void removeMarkers(List<Bytes> logicals) {
    logicals.forEach(logical -> state.delete(Keys.marker(logical.array())));
    visibility = visibility.with(markers().without(logicals));
  }

  @Nullable ItemRecord find(byte[] logical, Target target) {
    return switch (target) {
      case Target.Id(String id) -> find(logical, id);
      case Target.Counter(long counter) -> {
        ItemRecord item = load(counter);
        yield item != null && item.isIn(logical) && !visibility.hides(item) ? item : null;
      }
    };
  }

  @Nullable ItemRecord find(byte[] logical, String id) {
    ItemRecord item = lookUp(logical, id);
    return item == null || visibility.hides(item) ? null : item;
  }

  /** Whether there is an item of that counter, even one that is not seen any more. */
  boolean has(long counter) {
    return state.get(Keys.item(counter)) != null;
  }

  private @Nullable ItemRecord lookUp(byte[] logical, String id) {
    byte[] idBytes = utf8(id);
    byte @Nullable [] counter = state.get(Keys.primary(logical, idBytes));
    ItemRecord item = counter == null ? null : read(ByteBuffer.wrap(counter).getLong());
    if (item != null && !item.isWhole()) {
      // So much is known of it that clients can replace and delete it.
      return ItemRecord.unknown(item.counter(), logical, idBytes);
    }
    // An entry that leads to another item must not show or delete that one.
    return item == null || !item.is(logical, idBytes) ? null : item;
  }

  private @Nullable ItemRecord load(long counter) {
    ItemRecord item = read(counter);
    return item == null || !item.isWhole() ? null : item;
  }

  private @Nullable ItemRecord read(long counter) {
    byte @Nullable [] value = state.get(Keys.item(counter));
    return value == null ? null : ItemRecord.decode(counter, value);
  }

  /**
   * What entries follow from, to remove or move them; those of an item that cannot be read stay,
   * which does no harm: whatever leads to an item is checked against it.
   */
  static IndexEntries.Version versionOf(ItemRecord item) {
    return new IndexEntries.Version(contentOrNothing(item), item.timestampSeconds());
  }

  /** The content of an item that is about to go; empty when it cannot be read. */
  static Value.Obj contentOrNothing(ItemRecord item) {
    try {
      return UnreadableItem.contentOf(item);
    } catch (UnreadableItem e) {
      return new Value.Obj(Map.of());
    }
  }

  /** Keeps the sizes of a logical partition. */
  void count(byte[] logical, long bytes, long items, long lsn) {
    byte[] key = Keys.logical(logical);
    LogicalRecord before = LogicalRecord.decode(state.get(key));
    LogicalRecord changed = before.plus(bytes, items, lsn);
    sizes = sizes.changed(before, changed);
    if (changed.items() == 0) {
      state.delete(key);
    } else {
      state.put(key, changed.encode());
    }
  }

  static byte[] utf8(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] counterBytes(long counter) {
    return ByteBuffer.allocate(8).putLong(counter).array();
  }
}
