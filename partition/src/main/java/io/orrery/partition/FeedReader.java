package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads items in order of insertion, a page at a time. */
final class FeedReader {
  private static final int STRETCH_ENTRIES = 500;
  private static final int LOOKED_AT_MAX = 20_000;
  private static final int SCAN_BYTES_MIN = 256 << 10;
  private static final int SCAN_BYTES_MAX = 4 << 20;
  private static final FeedSlice.Range EVERYTHING = new FeedSlice.Range(EpkRange.ALL);

  /** A page ends after so many bytes were read for it, also of items outside of its slice. */
  static final long LOOKED_AT_BYTES_MAX = 64L << 20;

  private final PartitionStore store;
  private final Writer writer;

  FeedReader(PartitionStore store, Writer writer) {
    this.store = store;
    this.writer = writer;
  }

  FeedPage read(FeedTask task) {
    GroupCommits.Left known = writer.left();
    try (Snapshot snapshot = store.snapshot()) {
      Head head = snapshot.head();
      if (head == null || head.state() == Head.State.SEALED) {
        throw new PartitionMoved();
      }
      Visibility visibility = writer.visibility(known, snapshot, head);
      var page = new Gathering(task, visibility, head.lsn());
      page.memory.gather(() -> gather(snapshot, page), page::charge);
      return page.end();
    }
  }

  private static void gather(Snapshot snapshot, Gathering page) {
    switch (page.task.slice()) {
      case FeedSlice.OneKey(LogicalKey key) -> members(snapshot, key, page);
      case FeedSlice.Range range -> all(snapshot, range, page);
    }
  }

  private static void members(Snapshot snapshot, LogicalKey key, Gathering page) {
    byte[] logical = Keys.logicalPartition(key.epk(), key.key());
    byte[] end = Keys.member(logical, Long.MAX_VALUE);
    while (page.wantsMore()) {
      int stretch = Math.min(STRETCH_ENTRIES, page.room());
      Page members =
          snapshot.scan(
              Scan.forward(Keys.member(logical, page.lastCounter() + 1), end).atMost(stretch));
      var keys = new ArrayList<byte[]>();
      members.entries().forEach(member -> keys.add(Keys.item(Keys.counterOfMember(member.key()))));
      List<byte @Nullable []> values = snapshot.multiGet(keys, page.task.maxBytes()).values();
      page.memory.fetched(values);
      for (int i = 0; i < values.size() && page.wantsMore(); i++) {
        page.look(Keys.counterOfItem(keys.get(i)), values.get(i), EVERYTHING);
      }
      page.looked();
      page.reached(members.more() || values.size() < keys.size());
    }
  }

  /** Reads as many items as have room, then more each time: what is read ahead is not charged. */
  private static void all(Snapshot snapshot, FeedSlice.Range range, Gathering page) {
    int stretch = Math.max(1, page.room());
    while (page.wantsMore()) {
      stretch = Math.min(stretch, STRETCH_ENTRIES);
      Page items =
          snapshot.scan(
              Scan.forward(Keys.item(page.lastCounter() + 1), Keys.itemsEnd())
                  .atMost(stretch)
                  .atMostBytes(page.scanBytes()));
      stretch *= 2;
      page.memory.scanned(items.entries());
      for (Entry entry : items.entries()) {
        if (!page.wantsMore()) {
          break;
        }
        page.look(Keys.counterOfItem(entry.key()), entry.value(), range);
      }
      page.looked();
      page.reached(items.more());
    }
  }

  /** A page while it fills up. */
  private static final class Gathering {
    private final FeedTask task;
    private final Visibility visibility;
    private final FeedMemory memory;
    private final long lsn;
    private final List<StoredItem> items = new ArrayList<>();
    private RequestCharge charge = Charges.page();
    private long lastCounter;
    private long bytes;
    private long stretchBytes;
    private int passedOver;
    private long passedOverBytes;
    private int lookedAt;
    private long lookedAtBytes;
    private boolean full;
    private boolean exhausted;

    Gathering(FeedTask task, Visibility visibility, long lsn) {
      this.task = task;
      this.visibility = visibility;
      this.memory = new FeedMemory(task.budget());
      this.lsn = lsn;
      this.lastCounter = task.afterCounter();
    }

    long lastCounter() {
      return lastCounter;
    }

    int room() {
      return task.maxItems() - items.size();
    }

    /** What has room, or more where little of what is read may belong to the page. */
    int scanBytes() {
      return Math.clamp(task.maxBytes() - bytes, SCAN_BYTES_MIN, SCAN_BYTES_MAX);
    }

    boolean wantsMore() {
      return !full && !exhausted;
    }

    /** The stretch is no longer needed, but for its items. */
    void looked() {
      memory.looked(stretchBytes);
      stretchBytes = 0;
    }

    /** The stretch just looked at was the last one when there is no more. */
    void reached(boolean more) {
      exhausted = !full && !more;
    }

    void look(long counter, byte @Nullable [] value, FeedSlice.Range range) {
      memory.lookAt(lookedAt, value);
      ItemRecord record = value == null ? null : ItemRecord.decode(counter, value);
      boolean whole = record != null && record.isWhole();
      if (record != null && whole && !visibility.hides(record) && range.covers(record)) {
        if (!items.isEmpty() && bytes + record.bodyBytes() > task.maxBytes()) {
          full = true;
          return;
        }
        items.add(record.item());
        bytes += record.bodyBytes();
        stretchBytes += (long) record.bodyBytes() + StoredItem.SYSTEM_BYTES;
        charge = charge.plus(Charges.read(record.bodyBytes()));
      } else {
        passedOver++;
        passedOverBytes += value == null ? 0 : value.length;
      }
      lastCounter = counter;
      lookedAtBytes += value == null ? 0 : value.length;
      full =
          items.size() >= task.maxItems()
              || ++lookedAt >= LOOKED_AT_MAX
              || lookedAtBytes >= LOOKED_AT_BYTES_MAX;
    }

    RequestCharge charge() {
      return charge.plus(Charges.passedOver(passedOver, passedOverBytes));
    }

    FeedPage end() {
      return new FeedPage(items, lastCounter, !exhausted, charge(), lsn);
    }
  }
}
