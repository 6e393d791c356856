package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.index.Access;
import io.orrery.query.index.IndexPath;
import io.orrery.query.index.OrderedScan;
import io.orrery.query.index.OrderedTerms;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Fills a chunk in the order of an index. */
final class OrderedRun {
  private final QueryTask task;
  private final OrderedScan order;
  private final QueryRun run;
  private final IndexReader index;
  private final RowGathering rows;
  private @Nullable Roaring64Bitmap matching;

  OrderedRun(QueryTask task, OrderedScan order, QueryRun run, IndexReader index) {
    this.task = task;
    this.order = order;
    this.run = run;
    this.index = index;
    this.rows = run.rows();
  }

  /** True when there is nothing behind the chunk. */
  boolean run() {
    if (!(order.filter() instanceof Access.Everything) && index.isSmall(task.slice())) {
      return run.sortCandidates(index);
    }
    // Where the index has hardly any other items, theirs need not be told from those of others.
    boolean alone = run.ordersWithinKey() && order.filter() instanceof Access.Everything;
    matching = alone ? null : index.matching(order.filter(), task.slice());
    if (matching != null && isSortedSooner(matching.getLongCardinality())) {
      return run.sortCandidates(index);
    }
    RowPosition after = task.after();
    boolean afterMissing = after != null && isMissing(after.keys());
    if (!order.missing()) {
      return entries(after);
    }
    if (order.backward()) {
      boolean passed = afterMissing || entries(after);
      return passed && rows.wantsMore() && missing(afterMissing ? after : null);
    }
    boolean passed = (after != null && !afterMissing) || missing(after);
    return passed && rows.wantsMore() && entries(afterMissing ? null : after);
  }

  private boolean isMissing(List<Value> keys) {
    return order.index() instanceof IndexPath && keys.getFirst() instanceof Value.Undefined;
  }

  /** The few that match can be sorted; of many, the index soon finds the first. */
  private boolean isSortedSooner(long matches) {
    long rowsWanted = Math.max(1, rows.room());
    return matches <= rowsWanted
        || IndexReader.ENTRIES_PER_ITEM * matches
            < index.count(order.index()) / matches * rowsWanted;
  }

  private boolean missing(@Nullable RowPosition after) {
    Counters without =
        order.index() instanceof IndexPath path ? index.missing(path) : Counters.NONE;
    if (without == null) {
      return run.sortCandidates(index);
    }
    Counters candidates =
        matching == null ? without : Counters.all(List.of(without, Counters.of(matching)));
    long from = after == null ? 0 : after.firstCounter();
    return run.seek(candidates, from, item -> !run.items().moved() || isMissing(keysOf(item)));
  }

  private boolean entries(@Nullable RowPosition after) {
    if (order.stretches().isEmpty()) {
      return true;
    }
    var entries = new OrderedEntries(run.snapshot(), run.tally(), run.items(), rows.room());
    entries.read(order.stretches(), order.backward());
    if (after != null) {
      byte[] term = OrderedTerms.term(order, after.keys());
      byte[] inexact = OrderedTerms.inexactPrefix(order, term);
      if (inexact == null) {
        entries.startAt(term, after.firstCounter());
      } else {
        entries.startWith(inexact);
      }
    }
    int wanted = rows.room();
    while (rows.wantsMore()) {
      Map<Long, byte[]> batch = new HashMap<>();
      List<Long> counters = new ArrayList<>();
      byte[] inexact = gather(entries, run.items().batch(wanted), counters, batch);
      if (counters.isEmpty() && inexact == null) {
        return true;
      }
      if (!counters.isEmpty()) {
        if (!look(counters, batch)) {
          return false;
        }
      } else if (inexact != null && !sortEqual(entries, inexact)) {
        return false;
      }
      rows.checkTime();
      wanted = Math.max(rows.room(), 2 * wanted);
    }
    return rows.isBetweenItems() && !entries.hasNext();
  }

  /** The next items whose terms tell their order, up to terms that do not: what those share. */
  private byte @Nullable [] gather(
      OrderedEntries entries, int most, List<Long> counters, Map<Long, byte[]> terms) {
    while (counters.size() < most && entries.hasNext()) {
      byte[] term = entries.term();
      byte[] inexact = OrderedTerms.inexactPrefix(order, term);
      if (inexact != null) {
        return inexact;
      }
      long counter = entries.counter();
      if (terms.containsKey(counter)) {
        return null; // a batch has one entry of an item
      }
      if (matching == null || matching.contains(counter)) {
        counters.add(counter);
        terms.put(counter, term);
      }
      entries.advance();
    }
    return null;
  }

  /** False when there was no room for all. */
  private boolean look(List<Long> counters, Map<Long, byte[]> terms) {
    return run.items().fetch(counters, some -> lookAt(some, terms));
  }

  /**
   * Takes those that the entries give their place. An item that was written since has another; and
   * clients can choose names of members whose paths share a hash, so that the entries of one are
   * found under the other.
   */
  private boolean lookAt(List<ItemRecord> some, Map<Long, byte[]> terms) {
    for (ItemRecord item : rows.ahead(some)) {
      if (!rows.wantsMore()) {
        return false;
      }
      byte[] term = terms.get(item.counter());
      rows.look(item, keys -> Arrays.equals(OrderedTerms.term(order, keys), term));
    }
    return true;
  }

  /** Whether the item has its place among those whose terms begin so. */
  private boolean hasPrefix(ItemRecord record, byte[] prefix) {
    List<Value> keys;
    try {
      keys = keysOf(record);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return true; // damaged, which is reported when its rows are made
    }
    byte[] own = OrderedTerms.term(order, keys);
    return own != null
        && own.length >= prefix.length
        && Arrays.equals(own, 0, prefix.length, prefix, 0, prefix.length);
  }

  private List<Value> keysOf(ItemRecord item) {
    return OrderKeys.of(order, rows.view(item));
  }

  private boolean sortEqual(OrderedEntries entries, byte[] prefix) {
    var equal = new Roaring64Bitmap();
    while (entries.hasNext() && entries.beginsWith(prefix)) {
      if (matching == null || matching.contains(entries.counter())) {
        equal.addLong(entries.counter());
      }
      entries.advance();
    }
    var sorting = new RowSorting(rows.order(), rows.position(), rows.room(), rows.roomBytes());
    run.sort(Counters.of(equal), item -> hasPrefix(item, prefix), sorting);
    rows.takeSorted(sorting);
    return !sorting.hasDropped();
  }
}
