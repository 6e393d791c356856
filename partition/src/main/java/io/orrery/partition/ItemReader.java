package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Fetches items for a query, never more at once than fit into a few megabytes. */
final class ItemReader {
  private static final int BATCH_ITEMS_MAX = 64;
  private static final int SCAN_ITEMS_MAX = 1_000;
  private static final int BYTES_MAX = 4 << 20;
  private static final int FIRST_GUESS_BYTES = 64 << 10;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final long version;
  private boolean moved;
  private long fetched;
  private long fetchedBytes;
  private int largestBytes;

  ItemReader(Snapshot snapshot, QueryTally tally, Head head) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.version = head.version();
  }

  /** How many items may be fetched at once, of those that are wanted. */
  int batch(long wanted) {
    long typical = fetched == 0 ? FIRST_GUESS_BYTES : fetchedBytes / fetched + largestBytes / 4;
    return Math.clamp(Math.min(wanted, BYTES_MAX / (typical + 1)), 1, BATCH_ITEMS_MAX);
  }

  /**
   * Fetches the items with these counters, no more at once than may be; those that are gone are
   * left out.
   *
   * @param taker takes some of them and says whether it wants more
   * @return whether it wanted more to the end
   */
  boolean fetch(List<Long> counters, Predicate<List<ItemRecord>> taker) {
    int done = 0;
    boolean wanted = true;
    while (wanted && done < counters.size()) {
      var items = new ArrayList<ItemRecord>();
      done += fetch(counters.subList(done, counters.size()), items);
      wanted = taker.test(items);
    }
    return wanted;
  }

  /** Tells of how many it has fetched those that are there. */
  private int fetch(List<Long> counters, List<ItemRecord> items) {
    long began = System.nanoTime();
    var keys = new ArrayList<byte[]>(counters.size());
    counters.forEach(counter -> keys.add(Keys.item(counter)));
    Reads reads = snapshot.multiGet(keys, BYTES_MAX);
    sawState(reads.head());
    List<byte @Nullable []> values = reads.values();
    for (int i = 0; i < values.size(); i++) {
      byte @Nullable [] value = values.get(i);
      if (value != null) {
        saw(value);
        add(ItemRecord.decode(counters.get(i), value), items);
      }
    }
    tally.loadNanos += System.nanoTime() - began;
    return values.size();
  }

  /** The next items of all. */
  Stretch scan(long from, int wanted) {
    long began = System.nanoTime();
    Page page =
        snapshot.scan(
            Scan.forward(Keys.item(from), Keys.itemsEnd())
                .atMost(Math.clamp(wanted, 1, SCAN_ITEMS_MAX))
                .atMostBytes(BYTES_MAX));
    var items = new ArrayList<ItemRecord>(page.entries().size());
    for (Entry entry : page.entries()) {
      add(ItemRecord.decode(Keys.counterOfItem(entry.key()), entry.value()), items);
    }
    tally.loadNanos += System.nanoTime() - began;
    List<Entry> read = page.entries();
    long next = read.isEmpty() ? from : Keys.counterOfItem(read.getLast().key()) + 1;
    return new Stretch(items, page.more(), next);
  }

  private void add(ItemRecord item, List<ItemRecord> items) {
    if (item.isWhole()) {
      items.add(item);
    } else {
      tally.unreadable(item);
    }
  }

  /** Items one after the other, whether there are others behind them, and where those begin. */
  record Stretch(List<ItemRecord> items, boolean more, long next) {}

  /** Whether what was read is of different states, so that entries may not fit items. */
  boolean moved() {
    return moved;
  }

  void sawState(@Nullable Head head) {
    moved |= head == null || head.version() != version;
  }

  private void saw(byte[] value) {
    fetched++;
    fetchedBytes += value.length;
    largestBytes = Math.max(largestBytes, value.length);
  }
}
