package io.orrery.partition;

import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.ItemTerms;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes from the items of a partition what else is stored for them, and compares. Every entry
 * that an item must have is looked up, and there must be no more entries than that, so that memory
 * grows with the number of paths only. Nothing may be written meanwhile.
 */
public final class Audit {
  private static final int FAULTS_MAX = 100;
  private static final Map<Byte, String> COUNTED =
      new TreeMap<>(
          Map.of(
              Keys.PRIMARY, "primary key",
              Keys.MEMBER, "member of a logical partition",
              Keys.LATEST, "latest version",
              Keys.INDEX, "index",
              Keys.UNIQUE, "unique key",
              Keys.EXPIRY, "expiry"));

  private final PartitionSettings settings;
  private final Snapshot snapshot;
  private final Head head;
  private final IndexState index;
  private final Markers markers;
  private final Map<Byte, Long> expected = new HashMap<>();
  private final Map<Long, Long> paths = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private long items;

  /**
   * What was found.
   *
   * @param items how many are stored, those included that clients no longer see
   * @param faults what contradicts the items, the first hundred
   */
  public record Report(long items, List<String> faults) {
    public Report {
      faults = List.copyOf(faults);
    }
  }

  private Audit(PartitionSettings settings, Snapshot snapshot, Head head, Markers markers) {
    this.settings = settings;
    this.snapshot = snapshot;
    this.head = head;
    this.markers = markers;
    this.index = IndexState.load(snapshot, settings);
  }

  /** Audits a partition without concurrent writes. */
  public static Report of(PartitionStore store, PartitionSettings settings) {
    Markers markers = Markers.load(store);
    try (Snapshot snapshot = store.snapshot()) {
      Head head = snapshot.head();
      if (head == null) {
        return new Report(0, List.of("The partition has no head"));
      }
      return new Audit(settings, snapshot, head, markers).run();
    }
  }

  private Report run() {
    EntryScan all = scan(Keys.ITEM);
    for (Entry entry = all.next(); entry != null; entry = all.next()) {
      look(ItemRecord.decode(Keys.counterOfItem(entry.key()), entry.value()));
    }
    COUNTED.forEach(this::compareNumber);
    comparePaths();
    compareSizes();
    lookAtHistory();
    return new Report(items, faults);
  }

  private EntryScan scan(byte kind) {
    return new EntryScan(snapshot, new byte[] {kind}, new byte[] {(byte) (kind + 1)});
  }

  private void look(ItemRecord item) {
    items++;
    Value.Obj content = readable(item);
    if (content == null) {
      fault("Item of document " + item.counter() + " cannot be read");
      return;
    }
    if (item.lsn() > head.lsn()) {
      fault(item, "is newer than the partition: LSN " + item.lsn() + " of " + head.lsn());
    }
    long counter = item.counter();
    if (counter >= settings.counterOf(head.nextDocument()) && isOfThisRange(counter)) {
      fault(item, "has a number that was not given out");
    }
    byte[] logical = item.logicalPartition();
    leads(item, Keys.PRIMARY, Keys.primary(logical, item.idBytes()));
    settings.uniqueKeys().entries(logical, content).forEach(key -> leads(item, Keys.UNIQUE, key));
    exists(item, Keys.MEMBER, Keys.member(logical, counter));
    exists(item, Keys.LATEST, Keys.latest(item.lsn(), counter));
    int ttl = TimeToLive.ownSeconds(content);
    if (ttl > 0) {
      lookAtExpiry(item, Keys.expiry(item.timestampSeconds() + ttl, counter));
    }
    lookAtTerms(item, content);
  }

  /** Expiry removes the entry of a hidden item: its sweep takes the item. */
  private void lookAtExpiry(ItemRecord item, byte[] key) {
    if (!markers.hides(item) || snapshot.get(key).value() != null) {
      exists(item, Keys.EXPIRY, key);
    }
  }

  /** The content; null when the record or its body is broken. */
  private static Value.@Nullable Obj readable(ItemRecord item) {
    try {
      return item.isWhole() ? UnreadableItem.contentOf(item) : null;
    } catch (UnreadableItem e) {
      return null;
    }
  }

  /** Counters of ranges that this one was made of are higher or lower than its own. */
  private boolean isOfThisRange(long counter) {
    return counter >= settings.counterOf(0) && counter < settings.counterOf(1L << 40);
  }

  private void lookAtTerms(ItemRecord item, Value.Obj content) {
    IndexPolicy policy = index.policyOf(item.counter());
    if (policy == null) {
      return;
    }
    ItemTerms terms = ItemTerms.of(content, item.timestampSeconds(), policy);
    for (byte[] term : IndexEntries.storable(terms.terms())) {
      exists(item, Keys.INDEX, Keys.index(term, item.counter()));
    }
    for (long path : terms.countedPaths()) {
      paths.merge(path, 1L, Long::sum);
    }
  }

  /** An entry that names the item, unless a newer one has taken the place of one that is hidden. */
  private void leads(ItemRecord item, byte kind, byte[] key) {
    byte @Nullable [] holder = snapshot.get(key).value();
    boolean own = holder != null && ByteBuffer.wrap(holder).getLong() == item.counter();
    if (own) {
      expected.merge(kind, 1L, Long::sum);
    } else if (!markers.hides(item)) {
      fault(item, "is not found by its " + COUNTED.get(kind));
    }
  }

  private void exists(ItemRecord item, byte kind, byte[] key) {
    expected.merge(kind, 1L, Long::sum);
    if (snapshot.get(key).value() == null) {
      fault(item, "lacks the entry " + COUNTED.get(kind) + " " + HexFormat.of().formatHex(key));
    }
  }

  private void compareNumber(byte kind, String name) {
    long found = 0;
    EntryScan entries = scan(kind);
    while (entries.next() != null) {
      found++;
    }
    long due = expected.getOrDefault(kind, 0L);
    if (found != due) {
      fault("There are " + found + " entries of the kind " + name + ", and items for " + due);
    }
  }

  private void comparePaths() {
    EntryScan counts = scan(Keys.PATH_COUNT);
    for (Entry entry = counts.next(); entry != null; entry = counts.next()) {
      long counted = PathCounts.decode(entry.value());
      Long due = paths.remove(Keys.pathOf(entry.key()));
      if (due == null || due != counted) {
        fault("A path is counted " + counted + " times, and " + due + " items have it");
      }
    }
    if (!paths.isEmpty()) {
      fault(paths.size() + " paths of items are not counted");
    }
  }

  private void compareSizes() {
    Sizes sum = Sizes.NONE;
    EntryScan members = scan(Keys.MEMBER);
    byte[] logical = {};
    LogicalRecord seen = LogicalRecord.EMPTY;
    for (Entry entry = members.next(); ; entry = members.next()) {
      byte[] now = entry == null ? new byte[0] : logicalOf(entry.key());
      if (!Arrays.equals(now, logical)) {
        compare(logical, seen);
        sum = sum.plus(seen);
        logical = now;
        seen = LogicalRecord.EMPTY;
      }
      if (entry == null) {
        break;
      }
      seen = plus(seen, Keys.counterOfMember(entry.key()));
    }
    byte @Nullable [] stored = snapshot.get(Keys.sizes()).value();
    if (stored != null && !Sizes.decode(stored).equals(sum)) {
      fault("The sizes are " + Sizes.decode(stored) + ", and items have " + sum);
    }
  }

  private static byte[] logicalOf(byte[] member) {
    return Arrays.copyOfRange(member, 1, member.length - Long.BYTES);
  }

  private LogicalRecord plus(LogicalRecord sum, long counter) {
    byte @Nullable [] value = snapshot.get(Keys.item(counter)).value();
    ItemRecord item = value == null ? null : ItemRecord.decode(counter, value);
    return item == null || markers.hides(item)
        ? sum
        : sum.plus(item.bodyBytes(), 1, Math.max(sum.lastLsn(), item.lsn()));
  }

  private void compare(byte[] logical, LogicalRecord seen) {
    if (logical.length == 0) {
      return;
    }
    LogicalRecord stored = LogicalRecord.decode(snapshot.get(Keys.logical(logical)).value());
    if (stored.sizeBytes() != seen.sizeBytes()
        || stored.items() != seen.items()
        || stored.lastLsn() < seen.lastLsn()) {
      fault("Key " + Keys.keyOf(logical) + " is " + stored + ", and its items have " + seen);
    }
  }

  private void lookAtHistory() {
    EntryScan history = scan(Keys.HISTORY);
    for (Entry entry = history.next(); entry != null; entry = history.next()) {
      if (Keys.lsnOfHistory(entry.key()) > head.lsn()) {
        fault("The history is ahead: LSN " + Keys.lsnOfHistory(entry.key()));
      }
      HistoryRecord change = HistoryRecord.decode(entry.value());
      if (change.ticks() > head.commitTicks()) {
        fault("The history has a later time than the last commit, for " + change.id());
      }
    }
  }

  private void fault(ItemRecord item, String what) {
    fault("Item " + item.id() + " of " + Keys.keyOf(item.logicalPartition()) + " " + what);
  }

  private void fault(String what) {
    if (faults.size() < FAULTS_MAX) {
      faults.add(what);
    }
  }
}
