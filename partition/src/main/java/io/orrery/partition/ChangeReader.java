package io.orrery.partition;

import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EpkRange;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.KeyBounds;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes in the order of transactions: the latest version of each item, or all there were.
 */
final class ChangeReader {
  private static final int STRETCH_ENTRIES_MAX = 500;
  private static final int LOOKED_AT_MAX = 50_000;

  private final PartitionStore store;
  private final Writer writer;

  ChangeReader(PartitionStore store, Writer writer) {
    this.store = store;
    this.writer = writer;
  }

  Changes read(ChangeTask task) {
    GroupCommits.Left known = writer.left();
    try (Snapshot snapshot = store.snapshot()) {
      Head head = snapshot.head();
      if (head == null || head.state() == Head.State.SEALED) {
        throw new PartitionMoved();
      }
      Visibility visibility = writer.visibility(known, snapshot, head);
      long after = start(snapshot, head, task);
      var page = new Gathering(task, visibility, after);
      page.memory.gather(() -> gather(snapshot, after, page), page::charge);
      return page.end(head.lsn());
    }
  }

  private static long start(Snapshot snapshot, Head head, ChangeTask task) {
    return switch (task.start()) {
      case ChangeStart.Beginning() -> 0;
      case ChangeStart.Now() -> head.lsn();
      case ChangeStart.After(long lsn, _) -> {
        if (lsn > head.lsn()) {
          throw new PositionAhead();
        }
        yield lsn;
      }
      case ChangeStart.Time(long ticks) when task.inOrderOfTime() && !task.allVersions() ->
          lastBefore(snapshot, head, ticks);
      case ChangeStart.Time t -> 0;
    };
  }

  /** A transaction below all those that the latest versions since a time belong to. */
  private static long lastBefore(Snapshot snapshot, Head head, long ticks) {
    long low = 0;
    long high = head.lsn();
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      // Whether all up to the middle are older: the first one from there on tells.
      Long found = ticksFrom(snapshot, middle);
      if (found != null && found < ticks) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return Math.max(0, low - 1);
  }

  /** The time of the first latest version from a transaction on; null when there is none. */
  private static @Nullable Long ticksFrom(Snapshot snapshot, long lsn) {
    Page page = snapshot.scan(Scan.forward(Keys.latest(lsn, 0), Keys.latestEnd()).atMost(1));
    if (page.entries().isEmpty()) {
      return null;
    }
    long counter = Keys.counterAtEnd(page.entries().getFirst().key());
    byte @Nullable [] item = snapshot.get(Keys.item(counter)).value();
    ItemRecord record = item == null ? null : ItemRecord.decode(counter, item);
    return record == null || !record.isWhole() ? null : record.item().commitTicks();
  }

  private static void gather(Snapshot snapshot, long after, Gathering page) {
    ChangeTask task = page.task;
    if (!task.allVersions()) {
      latest(snapshot, after, page);
      return;
    }
    history(snapshot, after, page);
    // Looked at last: where reads do not repeat, some of it may have gone meanwhile.
    if (TrimMarks.load(snapshot).lack(task.slice(), task.start())) {
      throw new HistoryTrimmed();
    }
  }

  private static void latest(Snapshot snapshot, long after, Gathering page) {
    byte[] from = Keys.latest(after + 1, 0);
    while (page.wantsMore()) {
      Page entries = snapshot.scan(Scan.forward(from, Keys.latestEnd()).atMost(page.stretch()));
      List<byte[]> keys = new ArrayList<>();
      entries.entries().forEach(e -> keys.add(Keys.item(Keys.counterAtEnd(e.key()))));
      List<byte @Nullable []> values = snapshot.multiGet(keys, page.task.maxBytes()).values();
      page.memory.fetched(values);
      for (int i = 0; i < values.size() && page.wantsMore(); i++) {
        byte[] key = entries.entries().get(i).key();
        page.look(Keys.lsnOfHistory(key), Keys.counterOfItem(keys.get(i)), values.get(i));
        from = Keys.after(key);
      }
      page.looked();
      page.reached(entries.more() || values.size() < keys.size());
    }
  }

  private static void history(Snapshot snapshot, long after, Gathering page) {
    byte[] from = Keys.history(after + 1, 0, 0);
    while (page.wantsMore()) {
      Page entries = snapshot.scan(Scan.forward(from, Keys.historyEnd()).atMost(page.stretch()));
      page.memory.scanned(entries.entries());
      for (Entry entry : entries.entries()) {
        if (!page.wantsMore()) {
          break;
        }
        page.look(Keys.lsnOfHistory(entry.key()), entry.value());
        from = Keys.after(entry.key());
      }
      page.looked();
      page.reached(entries.more());
    }
  }

  /** A page while it fills up; it ends between transactions only. */
  private static final class Gathering {
    private final ChangeTask task;
    private final Visibility visibility;
    private final FeedMemory memory;
    private final long notBefore;
    private final @Nullable KeyBounds bounds;
    private final byte @Nullable [] logical;
    private final List<Change> changes = new ArrayList<>();
    private RequestCharge charge = Charges.page();
    private long lastLsn;
    private long bytes;
    private long stretchBytes;
    private int passedOver;
    private long passedOverBytes;
    private int lookedAt;
    private long lookedAtBytes;
    private boolean full;
    private boolean exhausted;

    Gathering(ChangeTask task, Visibility visibility, long after) {
      this.task = task;
      this.visibility = visibility;
      this.memory = new FeedMemory(task.budget());
      this.lastLsn = after;
      notBefore =
          switch (task.start()) {
            case ChangeStart.Time(long ticks) -> ticks;
            case ChangeStart.After(_, long ticks) -> ticks;
            case ChangeStart.Beginning(), ChangeStart.Now() -> 0;
          };
      switch (task.slice()) {
        case FeedSlice.OneKey(LogicalKey key) -> {
          logical = Keys.logicalPartition(key.epk(), key.key());
          bounds = null;
        }
        case FeedSlice.Range(EpkRange range, _) -> {
          logical = null;
          bounds = range.equals(EpkRange.ALL) ? null : KeyBounds.of(range);
        }
      }
    }

    boolean wantsMore() {
      return !full && !exhausted;
    }

    /** How many entries to look at next: what is missing, and one that shows where it ends. */
    int stretch() {
      return Math.clamp(task.maxItems() - changes.size() + 1L, 2, STRETCH_ENTRIES_MAX);
    }

    /** The stretch is no longer needed, but for its changes. */
    void looked() {
      memory.looked(stretchBytes);
      stretchBytes = 0;
    }

    void reached(boolean more) {
      exhausted = !full && !more;
    }

    /** Whether a change of that transaction still belongs to the page. */
    private boolean enter(long lsn, byte @Nullable [] value) {
      memory.lookAt(lookedAt, value);
      boolean enough =
          changes.size() >= task.maxItems()
              || bytes >= task.maxBytes()
              || ++lookedAt > LOOKED_AT_MAX
              || lookedAtBytes >= FeedReader.LOOKED_AT_BYTES_MAX;
      lookedAtBytes += value == null ? 0 : value.length;
      if (enough && lsn != lastLsn) {
        full = true;
        return false;
      }
      lastLsn = lsn;
      passedOver++;
      passedOverBytes += value == null ? 0 : value.length;
      return true;
    }

    void look(long lsn, long counter, byte @Nullable [] value) {
      if (!enter(lsn, value) || value == null) {
        return;
      }
      ItemRecord item = ItemRecord.decode(counter, value);
      // Where reads do not repeat, an item may have moved on: it comes again further down.
      if (item.isWhole()
          && item.lsn() == lsn
          && covers(item.logicalPartition())
          && !visibility.hides(item)) {
        StoredItem current = item.item();
        if (current.commitTicks() >= notBefore) {
          byte[] found = item.logicalPartition();
          add(
              new Change(
                  Change.Kind.LATEST,
                  lsn,
                  current.commitTicks(),
                  item.id(),
                  Keys.keyOf(found),
                  current,
                  null),
              item.bodyBytes(),
              value.length);
        }
      }
    }

    void look(long lsn, byte[] value) {
      if (!enter(lsn, value)) {
        return;
      }
      byte[] found = HistoryRecord.logicalPartitionOf(value);
      var record = HistoryRecord.decode(value);
      if (!covers(found) || record.ticks() < notBefore) {
        return;
      }
      // Of a time without the policy: creates, replaces and deleted keys are not in the history.
      boolean gone =
          record.change() == HistoryRecord.Change.DELETE
              || record.change() == HistoryRecord.Change.EXPIRE;
      if (!gone && !HistoryRecord.hasImages(value)) {
        throw new HistoryTrimmed();
      }
      if (record.counter() == 0) {
        return;
      }
      StoredItem current = image(record, HistoryRecord.currentOf(value));
      StoredItem previous = image(record, HistoryRecord.previousOf(value));
      Change.Kind kind =
          switch (record.change()) {
            case CREATE -> Change.Kind.CREATE;
            case REPLACE -> Change.Kind.REPLACE;
            case DELETE, DELETE_LOGICAL_PARTITION -> Change.Kind.DELETE;
            case EXPIRE -> Change.Kind.EXPIRE;
          };
      var change =
          new Change(kind, lsn, record.ticks(), record.id(), Keys.keyOf(found), current, previous);
      add(change, value.length, value.length);
    }

    private static @Nullable StoredItem image(HistoryRecord record, byte @Nullable [] value) {
      return value == null ? null : ItemRecord.decode(record.counter(), value).item();
    }

    private boolean covers(byte[] found) {
      return switch (task.slice()) {
        case FeedSlice.OneKey _ -> Arrays.equals(logical, found);
        case FeedSlice.Range range -> (bounds == null || bounds.hold(found)) && range.begins(found);
      };
    }

    /** Gives a change on that was counted as passed over until now. */
    private void add(Change change, int size, int storedBytes) {
      passedOver--;
      passedOverBytes -= storedBytes;
      changes.add(change);
      long sizeBytes = (long) size + StoredItem.SYSTEM_BYTES;
      bytes += sizeBytes;
      stretchBytes += sizeBytes;
      charge = charge.plus(Charges.read(size));
    }

    RequestCharge charge() {
      return charge.plus(Charges.passedOver(passedOver, passedOverBytes));
    }

    Changes end(long lsn) {
      // At the end nothing is left up to the state that was read.
      long reached = exhausted ? Math.max(lsn, lastLsn) : lastLsn;
      return new Changes(changes, reached, full, charge(), lsn);
    }
  }
}
