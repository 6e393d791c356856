package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.index.AccessPlan;
import io.orrery.query.index.OrderedScan;
import io.orrery.storage.Head;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** One chunk's way through a snapshot. */
final class QueryRun {
  private final QueryTask task;
  private final AccessPlan plan;
  private final Snapshot snapshot;
  private final QueryTally tally;
  private final ItemReader items;
  private final RowGathering rows;
  private final RangeCache cache;
  private boolean ordersByIndex;

  QueryRun(
      QueryTask task,
      AccessPlan plan,
      Snapshot snapshot,
      Head head,
      Visibility visibility,
      RangeCache cache,
      QueryTally tally) {
    this.cache = cache;
    this.task = task;
    this.plan = plan;
    this.snapshot = snapshot;
    this.tally = tally;
    this.items = new ItemReader(snapshot, tally, head, task.parameters().budget());
    OrderedScan order = task.want() == Want.ORDERED ? plan.order() : null;
    this.rows =
        new RowGathering(
            task,
            visibility,
            tally,
            order == null ? item -> List.of() : item -> OrderKeys.of(order, item));
  }

  RowGathering rows() {
    return rows;
  }

  /** Fills the chunk; true when there is nothing behind it. */
  boolean run() {
    try {
      return fill();
    } finally {
      items.release();
    }
  }

  private boolean fill() {
    if (task.want() != Want.ORDERED) {
      long from = task.firstCounter();
      Counters candidates = index(from).candidates(plan.access(), task.slice());
      return candidates == null ? scan(from) : seek(candidates, from);
    }
    OrderedScan order = plan.order();
    IndexReader index = index(0);
    // Items that are partly indexed may lack the entry that gives them their place.
    if (order == null || index.hasPartlyIndexed()) {
      return sortCandidates(index);
    }
    ordersByIndex = true;
    return new OrderedRun(task, order, this, index).run();
  }

  /** Whether an item lost its place in the index while this was read: then all begins again. */
  boolean isOutdated() {
    return ordersByIndex && items.moved() && index(0).hasPartlyIndexed();
  }

  boolean ordersWithinKey() {
    return plan.ordersWithinKey();
  }

  Snapshot snapshot() {
    return snapshot;
  }

  QueryTally tally() {
    return tally;
  }

  ItemReader items() {
    return items;
  }

  private IndexReader index(long from) {
    return new IndexReader(snapshot, tally, cache, from, rows.room());
  }

  /** All items, in order of insertion. */
  private boolean scan(long from) {
    long next = from;
    int wanted = rows.room();
    while (true) {
      ItemReader.Stretch stretch = items.scan(next, wanted);
      if (!look(stretch.items(), item -> true)) {
        return false;
      }
      next = stretch.next();
      if (!stretch.more()) {
        return rows.isBetweenItems();
      }
      rows.checkTime();
      if (!rows.wantsMore()) {
        return false;
      }
      wanted = Math.max(rows.room(), 4 * wanted);
    }
  }

  /** The items that the index names, in order of insertion. */
  private boolean seek(Counters candidates, long from) {
    return seek(candidates, from, item -> true);
  }

  /**
   * The same, of items that are still what the index said when they are fetched.
   *
   * @param belongs whether an item has its place here
   */
  boolean seek(Counters candidates, long from, Predicate<ItemRecord> belongs) {
    long next = from;
    int wanted = rows.room();
    while (rows.wantsMore()) {
      List<Long> batch = batch(candidates, next, items.batch(wanted));
      if (batch.isEmpty()) {
        return true;
      }
      if (!items.fetch(batch, some -> look(some, belongs))) {
        return false;
      }
      next = batch.getLast() + 1;
      rows.checkTime();
      wanted = Math.max(rows.room(), 2 * wanted);
    }
    return rows.isBetweenItems() && candidates.next(next) == Counters.END;
  }

  /** False when there was no room for all. */
  private boolean look(List<ItemRecord> some, Predicate<ItemRecord> belongs) {
    for (ItemRecord item : rows.ahead(some)) {
      if (!rows.wantsMore()) {
        return false;
      }
      if (belongs.test(item)) {
        rows.look(item);
      }
    }
    return true;
  }

  /** Looks at every candidate and takes the first rows behind those that are there. */
  boolean sortCandidates(IndexReader index) {
    Counters candidates = index.candidates(plan.access(), task.slice());
    var sorting = new RowSorting(rows.order(), rows.position(), rows.room(), rows.roomBytes());
    if (candidates == null) {
      long next = 0;
      boolean more = true;
      while (more) {
        ItemReader.Stretch stretch = items.scan(next, Integer.MAX_VALUE);
        for (ItemRecord item : rows.ahead(stretch.items())) {
          rows.rowsOf(item, sorting);
        }
        next = stretch.next();
        more = stretch.more();
      }
    } else {
      sort(candidates, _ -> true, sorting);
    }
    rows.takeSorted(sorting);
    return !sorting.hasDropped();
  }

  void sort(Counters candidates, Predicate<ItemRecord> wanted, RowSorting into) {
    List<Long> batch = batch(candidates, 0, items.batch(Integer.MAX_VALUE));
    while (!batch.isEmpty()) {
      items.fetch(
          batch,
          some -> {
            for (ItemRecord item : rows.ahead(some)) {
              if (wanted.test(item)) {
                rows.rowsOf(item, into);
              }
            }
            return true;
          });
      batch = batch(candidates, batch.getLast() + 1, items.batch(Integer.MAX_VALUE));
    }
  }

  private List<Long> batch(Counters candidates, long from, int most) {
    long began = System.nanoTime();
    var batch = new ArrayList<Long>(most);
    long counter = candidates.next(from);
    while (counter != Counters.END) {
      batch.add(counter);
      if (batch.size() == most) {
        break;
      }
      counter = candidates.next(counter + 1);
    }
    tally.indexNanos += System.nanoTime() - began;
    return batch;
  }
}
