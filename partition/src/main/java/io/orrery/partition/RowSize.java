package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;

/** About how long rows are as JSON, without writing them. */
final class RowSize {
  /** Larger bodies are not kept alive by a row that takes only a part of them. */
  private static final int BODY_KEPT_BYTES = 16 << 10;

  private RowSize() {}

  static PartialRow row(Value value, List<Value> keys, ItemRecord of, int rowsOfItem) {
    int size = of(value);
    boolean small = of.bodyBytes() > BODY_KEPT_BYTES && 2L * size < of.bodyBytes();
    return new PartialRow(
        small ? RawJson.detached(value) : value,
        small ? keys.stream().map(RowSize::detached).toList() : keys,
        of.counter(),
        rowsOfItem,
        size);
  }

  private static Value detached(Value value) {
    return value instanceof Value.Undefined ? value : RawJson.detached(value);
  }

  static int of(Value value) {
    return switch (value) {
      case Value.Undefined _ -> 0;
      case Value.Null _ -> 4;
      case Value.Bool _ -> 5;
      case Value.Int64(long number) -> digits(number);
      case Value.Float64 _ -> 18;
      case Value.Text(String text) -> text.length() + 2;
      case Value.Arr(var items) -> {
        int raw = RawJson.sizeOf(value);
        yield raw >= 0 ? raw : items(items);
      }
      case Value.Obj(var members) -> {
        int raw = RawJson.sizeOf(value);
        yield raw >= 0 ? raw : members(members);
      }
    };
  }

  private static int items(List<Value> items) {
    int size = 2;
    for (Value item : items) {
      size += of(item) + 1;
    }
    return size;
  }

  private static int members(Map<String, Value> members) {
    int size = 2;
    for (Map.Entry<String, Value> member : members.entrySet()) {
      size += member.getKey().length() + of(member.getValue()) + 4;
    }
    return size;
  }

  private static int digits(long number) {
    int digits = number < 0 ? 2 : 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
