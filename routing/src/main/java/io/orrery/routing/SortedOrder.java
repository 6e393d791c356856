package io.orrery.routing;

import io.orrery.partition.PartialRow;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the order of ORDER BY, merged from all shards. A position is the sort keys and the item
 * of the last row; keys too long for a continuation are cut, and the rows between the cut and the
 * last row are counted, to be passed over.
 */
final class SortedOrder implements RowStream {
  private final CompiledQuery query;
  private final RowMerge rows;
  private final boolean onceEach;

  /** The keys of the last row taken or passed over, for queries that give equal rows once. */
  private @Nullable List<Value> lastKeys;

  /** Rows taken in all, and since the present cut. */
  private long taken;

  private long takenBehindCut;
  private @Nullable List<Value> cut;
  private long toPass;

  private SortedOrder(CompiledQuery query, RowMerge rows, boolean onceEach) {
    this.query = query;
    this.rows = rows;
    this.onceEach = onceEach;
  }

  /**
   * Begins, or goes on.
   *
   * @param onceEach whether rows with equal keys are equal rows and only the first is wanted
   */
  static SortedOrder from(
      QueryRun run,
      CompiledQuery query,
      List<Shard> shards,
      boolean onceEach,
      @Nullable List<Value> position) {
    if (position == null) {
      return new SortedOrder(query, new RowMerge(run, query, shards, Want.ORDERED, null), onceEach);
    }
    List<Value> keys = CutKeys.read(position.get(0));
    long passed = number(position.get(3));
    RowPosition after =
        keys.isEmpty()
            ? null
            : new RowPosition(keys, number(position.get(1)), (int) number(position.get(2)));
    var stream =
        new SortedOrder(query, new RowMerge(run, query, shards, Want.ORDERED, after), onceEach);
    stream.toPass = passed;
    stream.taken = number(position.get(4)) - passed;
    stream.lastKeys = passed == 0 && !keys.isEmpty() ? keys : null;
    return stream;
  }

  private static long number(Value number) {
    return ((Value.Int64) number).value();
  }

  @Override
  public @Nullable PartialRow peek(RowMerge.Room room) {
    while (true) {
      PartialRow row = rows.peek(new RowMerge.Room(room.rows() + toPass, room.bytes()));
      if (row == null) {
        return null;
      }
      boolean again =
          onceEach && lastKeys != null && query.order().compare(row.keys(), lastKeys) == 0;
      if (toPass == 0 && !again) {
        return row;
      }
      toPass = Math.max(0, toPass - 1);
      pass(row);
    }
  }

  @Override
  public void take() {
    pass(rows.peek(new RowMerge.Room(1, 1)));
  }

  private void pass(@Nullable PartialRow row) {
    if (row == null) {
      throw new IllegalStateException("There is no row to take");
    }
    List<Value> place = CutKeys.of(row.keys(), query.order());
    takenBehindCut = place.equals(cut) ? takenBehindCut + 1 : 1;
    cut = place;
    taken++;
    lastKeys = row.keys();
    rows.take();
  }

  @Override
  public boolean isExhausted() {
    return rows.isExhausted();
  }

  /** Keys, counter, rows of the item; rows to pass over; rows in all. */
  @Override
  public List<Value> position() {
    RowPosition place = rows.position();
    if (place == null) {
      return position(List.of(), 0, 0, toPass);
    }
    List<Value> keys = CutKeys.of(place.keys(), query.order());
    if (CutKeys.isWhole(place.keys())) {
      return position(keys, place.counter(), place.rowsOfItem(), toPass);
    }
    // Looked at in vain behind the last row: where that is cannot be said, so it is done again.
    return keys.isEmpty()
        ? position(keys, 0, 0, taken + toPass)
        : position(keys, 0, 0, keys.equals(cut) ? takenBehindCut + toPass : toPass);
  }

  private List<Value> position(List<Value> keys, long counter, int rowsOfItem, long pass) {
    return List.of(
        CutKeys.write(keys),
        Value.of(counter),
        Value.of(rowsOfItem),
        Value.of(pass),
        Value.of(taken + toPass));
  }
}
