package io.orrery.partition;

import io.orrery.operation.ComputingThreads;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.GroupTable;
import io.orrery.query.ItemRows;
import io.orrery.value.ItemView;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A chunk while it fills up with the rows of one item after the other. */
final class RowGathering {
  private static final int LOOKED_AT_MAX = 20_000;

  /** After so many items, or steps inside them, the time is looked at. */
  private static final int LOOK_EVERY_ITEMS = 16;

  private static final long LOOK_EVERY_STEPS = 4_096;

  /** One call of a function may take seconds. */
  private static final int LOOK_EVERY_CALLING_ITEMS = 1;

  private final QueryTask task;
  private final ItemView.Container container;
  private final Visibility visibility;
  private final QueryTally tally;
  private final Function<Value.Obj, List<Value>> keysOf;
  private final @Nullable GroupTable groups;
  private final @Nullable ItemRows itemRows;
  private final byte[] oneKey;
  private final int lookEveryItems;
  private final List<PartialRow> rows = new ArrayList<>();

  /** The items that the user's functions were told of. */
  private final IdentityHashMap<ItemRecord, Value.Obj> named = new IdentityHashMap<>(0);

  private @Nullable RowPosition position;
  private long bytes;
  private int lookedAt;
  private int itemsAtLook;
  private long stepsAtLook;
  private boolean full;
  private boolean whole = true;

  /**
   * An empty chunk.
   *
   * @param keysOf the keys of the order in which the items come
   */
  RowGathering(
      QueryTask task,
      Visibility visibility,
      QueryTally tally,
      Function<Value.Obj, List<Value>> keysOf) {
    this.task = task;
    this.container = new ItemView.Container(task.containerRid());
    this.visibility = visibility;
    this.tally = tally;
    this.keysOf = keysOf;
    boolean grouped = task.want() == Want.GROUPS;
    this.groups = grouped ? task.query().groups(task.parameters()) : null;
    this.itemRows = grouped ? null : task.query().rows(task.parameters());
    this.position = task.after();
    this.lookEveryItems =
        task.query().userFunctions().isEmpty() ? LOOK_EVERY_ITEMS : LOOK_EVERY_CALLING_ITEMS;
    this.oneKey =
        task.slice() instanceof FeedSlice.OneKey(LogicalKey key)
            ? Keys.logicalPartition(key.epk(), key.key())
            : new byte[0];
  }

  boolean wantsMore() {
    return !full;
  }

  /** Whether the item looked at last had no more rows than were taken. */
  boolean isBetweenItems() {
    return whole;
  }

  /** How many more rows there is room for. */
  int room() {
    return groups == null ? task.maxRows() - rows.size() : LOOKED_AT_MAX;
  }

  long roomBytes() {
    return task.maxBytes() - bytes;
  }

  @Nullable RowPosition position() {
    return position;
  }

  List<PartialRow> rows() {
    return rows;
  }

  /** The order of rows; comparing them counts among the steps. */
  Comparator<List<Value>> order() {
    return itemRows == null ? task.query().order() : itemRows.order();
  }

  /** What the items that were looked at took to evaluate. */
  long steps() {
    return groups != null ? groups.steps() : itemRows == null ? 0 : itemRows.steps();
  }

  @Nullable GroupTable groups() {
    return groups;
  }

  /** The same items, whose calls of the user's functions are made together. */
  List<ItemRecord> ahead(List<ItemRecord> records) {
    if (task.query().userFunctions().isEmpty()) {
      return records;
    }
    named.clear();
    List<Value> items = new ArrayList<>(records.size());
    for (ItemRecord record : records) {
      if (sees(record)) {
        Value.Obj item = container.view(record.item());
        named.put(record, item);
        items.add(item);
      }
    }
    task.query().ahead(items, task.parameters());
    return records;
  }

  Value.Obj view(ItemRecord record) {
    Value.Obj item = named.get(record);
    return item == null ? container.view(record.item()) : item;
  }

  /** Takes the rows of an item, in the order of the chunk; of one that is damaged, none. */
  void look(ItemRecord record) {
    look(record, keys -> true);
  }

  /** The same, unless the keys of the item give it another place. */
  void look(ItemRecord record, Predicate<List<Value>> belongs) {
    try {
      take(record, belongs);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      stepOver(record, e);
      whole = true;
    }
  }

  /** Stored text is not checked again when it is read: damage shows as one of these. */
  private void stepOver(ItemRecord record, RuntimeException fault) {
    try {
      UnreadableItem.refuse(record);
    } catch (UnreadableItem damaged) {
      tally.unreadable(record);
      return;
    }
    throw fault;
  }

  private void take(ItemRecord record, Predicate<List<Value>> belongs) {
    Value.Obj item = view(record);
    List<Value> keys = keysOf.apply(item);
    if (!belongs.test(keys)) {
      return;
    }
    count(record);
    whole = true;
    if (sees(record)) {
      if (groups != null) {
        groups.add(item);
        full = groups.sizeBytes() > task.maxBytes();
      } else if (itemRows != null) {
        whole = new OfItem(record, keys).take(item, itemRows);
      }
    }
    if (whole) {
      position = new RowPosition(keys, record.counter(), RowPosition.ALL);
      full |= room() <= 0 || bytes >= task.maxBytes();
    }
    if (isTimeToLook()) {
      ComputingThreads.giveWay();
      endIf(isTimeOver());
    }
  }

  /** An item's rows for somebody who orders them himself. */
  void rowsOf(ItemRecord record, RowSorting into) {
    count(record);
    if (itemRows != null && sees(record)) {
      Value.Obj item = view(record);
      int[] row = {0};
      try {
        itemRows.each(
            item,
            (value, keys) -> {
              into.add(PartialRow.of(value, keys, record, ++row[0]));
              return true;
            });
      } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
        stepOver(record, e);
      }
    }
    if (isTimeToLook()) {
      // A sort has no rows to give before its end: it is refused, not cut short.
      task.parameters().budget().look();
    }
  }

  private boolean isTimeToLook() {
    long steps = itemRows != null ? itemRows.steps() : groups != null ? groups.steps() : 0;
    if (lookedAt - itemsAtLook < lookEveryItems && steps - stepsAtLook < LOOK_EVERY_STEPS) {
      return false;
    }
    itemsAtLook = lookedAt;
    stepsAtLook = steps;
    return true;
  }

  /** Takes rows that were ordered elsewhere. */
  void takeSorted(RowSorting sorting) {
    for (PartialRow row : sorting.sorted()) {
      add(row);
      position = row.position(Want.ORDERED);
    }
    full |= sorting.hasDropped() || rows.size() >= task.maxRows() || bytes >= task.maxBytes();
  }

  /** Ends the chunk early when its time is over and it has got on at all. */
  void checkTime() {
    endIf(lookedAt >= LOOKED_AT_MAX || isTimeOver());
  }

  private boolean isTimeOver() {
    return System.nanoTime() - task.deadlineNanos() >= 0;
  }

  private void endIf(boolean over) {
    full |= over && !Objects.equals(position, task.after());
  }

  private void count(ItemRecord record) {
    tally.retrievedCount++;
    tally.retrievedBytes += record.bodyBytes();
    lookedAt++;
  }

  private boolean sees(ItemRecord record) {
    return !visibility.hides(record)
        && switch (task.slice()) {
          case FeedSlice.OneKey _ -> record.isIn(oneKey);
          case FeedSlice.Range range -> range.covers(record);
        };
  }

  private void add(PartialRow row) {
    rows.add(row);
    bytes += row.sizeBytes();
    tally.outputCount++;
    tally.outputBytes += row.sizeBytes();
  }

  /** The rows of one item: each waits for the next, to know whether it is the last. */
  private final class OfItem {
    private final ItemRecord record;
    private final List<Value> orderKeys;
    private final int given;
    private int seen;
    private @Nullable PartialRow waiting;

    OfItem(ItemRecord record, List<Value> orderKeys) {
      this.record = record;
      this.orderKeys = orderKeys;
      RowPosition after = task.after();
      this.given = after != null && isAgain(after) ? after.rowsOfItem() : 0;
      this.seen = given;
    }

    private boolean isAgain(RowPosition after) {
      return after.counter() == record.counter()
          && (task.want() != Want.ORDERED
              || task.query().order().compare(after.keys(), orderKeys) == 0);
    }

    /** False when there was no room for some of them. */
    boolean take(Value item, ItemRows itemRows) {
      boolean all = itemRows.eachAfter(given, item, this::row);
      PartialRow last = waiting;
      if (last != null) {
        int rowsOfItem = all ? RowPosition.ALL : last.rowsOfItem();
        add(new PartialRow(last.row(), last.keys(), last.counter(), rowsOfItem, last.sizeBytes()));
        position = new RowPosition(orderKeys, record.counter(), rowsOfItem);
      }
      return all;
    }

    private boolean row(Value value, List<Value> keys) {
      PartialRow row = PartialRow.of(value, keys, record, ++seen);
      PartialRow before = waiting;
      int count = rows.size() + (before == null ? 0 : 1);
      long size = bytes + (before == null ? 0 : before.sizeBytes()) + row.sizeBytes();
      if (count >= task.maxRows() || (count > 0 && size > task.maxBytes())) {
        full = true;
        return false;
      }
      if (before != null) {
        add(before);
        position = new RowPosition(orderKeys, record.counter(), before.rowsOfItem());
      }
      waiting = row;
      return true;
    }
  }
}
