package io.orrery.partition;

import io.orrery.value.Value;
import java.util.List;

/**
 * A place between two rows.
 *
 * @param keys the sort keys of the row before it; empty unless rows are ordered
 * @param counter the item of the row before it
 * @param rowsOfItem how many rows of that item lie before it, or {@link #ALL}
 */
public record RowPosition(List<Value> keys, long counter, int rowsOfItem) {
  public static final int ALL = Integer.MAX_VALUE;

  public RowPosition {
    keys = List.copyOf(keys);
  }

  /** The first counter that can have rows behind it, as far as counters decide. */
  long firstCounter() {
    return rowsOfItem == ALL ? counter + 1 : counter;
  }
}
