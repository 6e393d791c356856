package io.orrery.partition;

import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Limits;
import io.orrery.operation.Mark;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.HistoryRecord.Change;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.CommitId;
import io.orrery.value.ItemBody;
import io.orrery.value.Value;
import org.jspecify.annotations.Nullable;

/** Writes versions of items with all that belongs to them, once nothing speaks against it. */
final class ItemWriter {
  private static final byte[] NOTHING = {};
  private static final long NO_COUNTER = -1;

  private final PartitionSettings settings;
  private final GroupState state;
  private final ItemEntries entries;
  private final WriteStamp stamp;
  private final CommitId commitId;
  private final Sequences own;
  private @Nullable Mark mark;
  private Sequences sequences;
  private int expired;
  private int expiredBefore;
  private long nextDocument;
  private long replacedBytes;

  /**
   * A writer for one group.
   *
   * @param nextDocument above all document sequences that were used before
   */
  ItemWriter(
      PartitionSettings settings,
      GroupState state,
      ItemEntries entries,
      WriteStamp stamp,
      CommitId commitId,
      Sequences sequences,
      long nextDocument) {
    this.settings = settings;
    this.state = state;
    this.entries = entries;
    this.stamp = stamp;
    this.commitId = commitId;
    this.own = sequences;
    this.sequences = sequences;
    this.nextDocument = nextDocument;
  }

  /** Begins another request, whose writes can be undone. */
  void savepoint() {
    mark = null;
    sequences = own;
    expiredBefore = expired;
  }

  /** Undoes what was written since the savepoint; the sequences that were drawn stay used. */
  void rollBack() {
    expired = expiredBefore;
  }

  /** Above all document sequences that were used. */
  long nextDocument() {
    return nextDocument;
  }

  /** The bytes of all versions that were replaced or removed: each is read as a whole for that. */
  long replacedBytes() {
    return replacedBytes;
  }

  /** Names the request that writes from now on; null when it has no mark. */
  void mark(@Nullable Mark given) {
    mark = given;
  }

  /** Gives new items from now on sequences that were set aside for them. */
  void use(Sequences reserved) {
    sequences = reserved;
  }

  /** Why a new item cannot be stored; null when it can. */
  @Nullable Refusal refusalOfInsert(byte[] logical, ItemBody item) {
    Refusal full = refusalOf(logical, item, item.body().bytes().size());
    if (full == null && entries.hasTakenValues(logical, item.content(), NO_COUNTER)) {
      return new Refusal.UniqueKeyTaken();
    }
    return full;
  }

  /** Stores a new item of so many index terms. */
  StoredItem insert(byte[] logical, ItemBody item, int terms) {
    stamp.next();
    long counter = newCounter();
    makeRoom(logical, item);
    entries.claim(logical, item.content(), counter);
    StoredItem stored = store(logical, counter, item, terms);
    entries.index().add(counter, version(item, stored));
    state.put(
        Keys.primary(logical, ItemEntries.utf8(item.id())), ItemEntries.counterBytes(counter));
    state.put(Keys.member(logical, counter), NOTHING);
    log(logical, Change.CREATE, counter, item.id(), null);
    entries.count(logical, item.body().bytes().size(), 1, stamp.lsn());
    return stored;
  }

  /** Refuses the number of an item that exists: storing another item there would lose the first. */
  private long newCounter() {
    long sequence = sequences.next();
    long counter = settings.counterOf(sequence);
    // All numbers that were used are below the next one, so most need not be looked up.
    if (sequence < nextDocument && entries.has(counter)) {
      throw new IllegalStateException("Document number " + counter + " was given out twice");
    }
    nextDocument = Math.max(nextDocument, sequence + 1);
    return counter;
  }

  /** Why an item cannot take the place of a version; null when it can. */
  @Nullable Refusal refusalOfOverwrite(byte[] logical, ItemRecord present, ItemBody item) {
    Refusal full =
        refusalOf(logical, item, (long) item.body().bytes().size() - present.bodyBytes());
    if (full == null && entries.hasTakenValues(logical, item.content(), present.counter())) {
      return new Refusal.UniqueKeyTaken();
    }
    return full;
  }

  /** Puts an item in the place of a version with that content. */
  StoredItem overwrite(byte[] logical, ItemRecord present, Value.Obj content, ItemBody item) {
    long counter = present.counter();
    replacedBytes += present.bodyBytes();
    stamp.next();
    makeRoom(logical, item);
    entries.release(logical, content, counter);
    entries.claim(logical, item.content(), counter);
    state.delete(Keys.latest(present.lsn(), counter));
    entries.forgetExpiry(content, present);
    StoredItem stored = store(logical, counter, item, settings.indexPolicy().terms(item.content()));
    var before = new IndexEntries.Version(content, present.timestampSeconds());
    entries.index().replace(counter, before, version(item, stored));
    if (!item.id().equals(present.id())) {
      state.delete(Keys.primary(logical, present.idBytes()));
      state.put(
          Keys.primary(logical, ItemEntries.utf8(item.id())), ItemEntries.counterBytes(counter));
    }
    log(logical, Change.REPLACE, counter, item.id(), present);
    entries.count(logical, item.body().bytes().size() - present.bodyBytes(), 0, stamp.lsn());
    return stored;
  }

  void delete(byte[] logical, ItemRecord present) {
    stamp.next();
    remove(logical, present, Change.DELETE);
  }

  /** Removes an item whose time is over. */
  void expire(byte[] logical, ItemRecord item) {
    stamp.next();
    removeExpired(logical, item);
  }

  /** How many were removed because their time was over. */
  int expired() {
    return expired;
  }

  private void removeExpired(byte[] logical, ItemRecord item) {
    remove(logical, item, Change.EXPIRE);
    expired++;
  }

  /** Removes an item that a marker hides; the feed of all versions has its deletion only now. */
  void sweep(byte[] logical, ItemRecord hidden) {
    entries.removeSwept(logical, hidden);
    if (tellsOfHidden(logical)) {
      stamp.next();
      log(logical, Change.DELETE, hidden.counter(), hidden.id(), hidden);
    }
  }

  /** False if the key was deleted while no versions were kept: the feed cannot have it then. */
  private boolean tellsOfHidden(byte[] logical) {
    if (settings.allVersions()) {
      return true;
    }
    long deleted = entries.markers().lsnOf(Bytes.of(logical));
    byte @Nullable [] entry = state.get(Keys.history(deleted, settings.rangeNumber(), 0));
    return entry == null || HistoryRecord.hasImages(entry);
  }

  /** A hidden item that is in the way is removed in the same transaction. */
  private void makeRoom(byte[] logical, ItemBody item) {
    ItemRecord hidden = entries.findHidden(logical, item.id());
    if (hidden != null) {
      replacedBytes += hidden.bodyBytes();
      entries.removeSwept(logical, hidden);
      if (tellsOfHidden(logical)) {
        log(logical, Change.DELETE, hidden.counter(), hidden.id(), hidden);
        stamp.also();
      }
    }
    for (ItemRecord over : entries.expiredBeside(logical, item)) {
      removeExpired(logical, over);
      stamp.also();
    }
  }

  private void remove(byte[] logical, ItemRecord present, Change why) {
    replacedBytes += present.bodyBytes();
    state.delete(Keys.item(present.counter()));
    state.delete(Keys.primary(logical, present.idBytes()));
    state.delete(Keys.member(logical, present.counter()));
    state.delete(Keys.latest(present.lsn(), present.counter()));
    IndexEntries.Version version = ItemEntries.versionOf(present);
    entries.release(logical, version.content(), present.counter());
    entries.forgetExpiry(version.content(), present);
    entries.index().remove(present.counter(), version);
    log(logical, why, present.counter(), present.id(), present);
    entries.count(logical, -present.bodyBytes(), -1, stamp.lsn());
  }

  /** Hides everything at once by a marker; the items are removed in the background. */
  void deleteAll(byte[] logical) {
    stamp.next();
    entries.hide(logical, stamp.lsn());
    log(logical, Change.DELETE_LOGICAL_PARTITION, 0, "", null);
  }

  private @Nullable Refusal refusalOf(byte[] logical, ItemBody item, long moreBytes) {
    Refusal malformed = settings.timeToLive().refusalOf(item.content());
    return malformed == null ? refusalOfGrowth(logical, moreBytes) : malformed;
  }

  /** What becomes smaller, or stays as large, is never too large. */
  private @Nullable Refusal refusalOfGrowth(byte[] logical, long moreBytes) {
    if (moreBytes <= 0) {
      return null;
    }
    Limits limits = settings.limits();
    long logicalBytes = LogicalRecord.decode(state.get(Keys.logical(logical))).sizeBytes();
    if (logicalBytes + moreBytes > limits.logicalPartitionBytes()) {
      return new Refusal.LogicalPartitionFull(limits.logicalPartitionBytes());
    }
    boolean fits = entries.sizes().bytes() + moreBytes <= limits.physicalPartitionBytes();
    return fits || settings.splits()
        ? null
        : new Refusal.PartitionFull(limits.physicalPartitionBytes());
  }

  private StoredItem store(byte[] logical, long counter, ItemBody item, int terms) {
    Body body = item.body();
    var stored = new StoredItem(counter, body, stamp.lsn(), stamp.position(), stamp.ticks());
    state.put(
        Keys.item(counter), ItemRecord.encode(stored, terms, logical, ItemEntries.utf8(item.id())));
    state.put(Keys.latest(stamp.lsn(), counter), NOTHING);
    int ttl = TimeToLive.ownSeconds(item.content());
    if (ttl > 0) {
      state.put(Keys.expiry(stored.timestampSeconds() + ttl, counter), NOTHING);
    }
    return stored;
  }

  private static IndexEntries.Version version(ItemBody item, StoredItem stored) {
    return new IndexEntries.Version(item.content(), stored.timestampSeconds());
  }

  private void log(
      byte[] logical, Change change, long counter, String id, @Nullable ItemRecord previous) {
    long high = mark == null ? commitId.high() : mark.high();
    long low = mark == null ? commitId.low() : mark.low();
    var entry = new HistoryRecord(high, low, stamp.ticks(), change, counter, id);
    byte[] value =
        settings.allVersions()
            ? entry.encode(
                logical,
                counter == 0 ? null : state.get(Keys.item(counter)),
                previous == null ? null : previous.value())
            : entry.encode(logical);
    state.put(Keys.history(stamp.lsn(), settings.rangeNumber(), stamp.position()), value);
  }
}
