package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.function.Sizes;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.List;

/** Makes rows that know how much memory they take, with what they are sorted or scored by. */
final class RowSize {
  /** Larger bodies are not kept alive by a row that takes only a part of them. */
  private static final int BODY_KEPT_BYTES = 16 << 10;

  private RowSize() {}

  static PartialRow row(Value value, List<Value> keys, ItemRecord of, int rowsOfItem) {
    long size = Sizes.memoryBytes(value);
    for (Value key : keys) {
      size += Sizes.memoryBytes(key);
    }
    boolean small = of.bodyBytes() > BODY_KEPT_BYTES && 2 * size < of.bodyBytes();
    return new PartialRow(
        small ? RawJson.detached(value) : value,
        small ? keys.stream().map(RawJson::detached).toList() : keys,
        of.counter(),
        rowsOfItem,
        size);
  }
}
