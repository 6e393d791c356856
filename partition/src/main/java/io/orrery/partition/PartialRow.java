package io.orrery.partition;

import io.orrery.value.Value;
import java.util.List;

/**
 * A row of one partition.
 *
 * @param keys what ORDER BY sorts by or RANK scores; else empty
 * @param counter the item that it came from
 * @param rowsOfItem how many rows of the item have been given with this one; {@link
 *     RowPosition#ALL} when the item has no more
 * @param sizeBytes about how much memory it takes with its keys
 */
public record PartialRow(
    Value row, List<Value> keys, long counter, int rowsOfItem, long sizeBytes) {

  /** The place behind the row in an answer of the given form. */
  public RowPosition position(Want want) {
    return new RowPosition(want == Want.ORDERED ? keys : List.of(), counter, rowsOfItem);
  }
}
