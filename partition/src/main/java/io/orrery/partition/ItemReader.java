package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.QueryBudget;
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

/**
 * Fetches items for a query, never more at once than fit into a few megabytes, which stay in the
 * memory account until others are fetched: a query that lets others compute keeps them meanwhile.
 */
final class ItemReader {
  private static final int BATCH_ITEMS_MAX = 64;
  private static final int SCAN_ITEMS_MAX = 1_000;
  private static final int BYTES_MAX = 4 << 20;
  private static final int FIRST_GUESS_BYTES = 64 << 10;

  /** Less than that is not worth the counting. */
  private static final int SMALL_BYTES = 64 << 10;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final QueryBudget budget;
  private final long version;
  private boolean moved;
  private long fetched;
  private long fetchedBytes;
  private int largestBytes;
  private long heldBytes;

  ItemReader(Snapshot snapshot, QueryTally tally, Head head, QueryBudget budget) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.budget = budget;
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
    release();
    return wanted;
  }

  private void hold(long bytes) {
    release();
    if (bytes > SMALL_BYTES) {
      budget.hold(bytes);
      heldBytes = bytes;
    }
  }

  /** Returns the memory of what was fetched last. */
  void release() {
    if (heldBytes > 0) {
      budget.release(heldBytes);
      heldBytes = 0;
    }
  }

  /** Tells of how many it has fetched those that are there. */
  private int fetch(List<Long> counters, List<ItemRecord> items) {
    long began = System.nanoTime();
    var keys = new ArrayList<byte[]>(counters.size());
    counters.forEach(counter -> keys.add(Keys.item(counter)));
    Reads reads = snapshot.multiGet(keys, BYTES_MAX);
    sawState(reads.head());
    List<byte @Nullable []> values = reads.values();
    long before = fetchedBytes;
    for (int i = 0; i < values.size(); i++) {
      byte @Nullable [] value = values.get(i);
      if (value != null) {
        saw(value);
        add(ItemRecord.decode(counters.get(i), value), items);
      }
    }
    hold(fetchedBytes - before);
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
    long bytes = 0;
    for (Entry entry : page.entries()) {
      add(ItemRecord.decode(Keys.counterOfItem(entry.key()), entry.value()), items);
      bytes += entry.value().length;
    }
    hold(bytes);
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
