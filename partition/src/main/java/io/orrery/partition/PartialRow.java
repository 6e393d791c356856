package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.function.Sizes;
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
  /** Larger bodies are not kept alive by a row that takes only a part of them. */
  private static final int BODY_KEPT_BYTES = 16 << 10;

  static PartialRow of(Value value, List<Value> keys, ItemRecord item, int rowsOfItem) {
    long size = Sizes.memoryBytes(value);
    for (Value key : keys) {
      size += Sizes.memoryBytes(key);
    }
    boolean isPart = item.bodyBytes() > BODY_KEPT_BYTES && 2 * size < item.bodyBytes();
    return new PartialRow(
        isPart ? Sizes.detached(value) : value,
        isPart ? keys.stream().map(Sizes::detached).toList() : keys,
        item.counter(),
        rowsOfItem,
        size);
  }

  /** The place behind the row in an answer of the given form. */
  public RowPosition position(Want want) {
    return new RowPosition(want == Want.ORDERED ? keys : List.of(), counter, rowsOfItem);
  }
}
