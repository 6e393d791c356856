package io.orrery.query.function;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;

/**
 * Bounds what a query may build: a few levels of {@code [x, x]} or CONCAT(x, x) over each other
 * would otherwise make values beyond any memory out of a short text.
 */
public final class Sizes {
  private static final long MAX_TEXT_CHARS = 16L << 20;
  private static final long MAX_ITEMS = 1L << 20;
  private static final long MAX_WEIGHT = 16L << 20;
  private static final long VALUE_BYTES = 48;

  private Sizes() {}

  static long textBytes(long chars) {
    return VALUE_BYTES + 2 * chars;
  }

  static long itemsBytes(long count) {
    return VALUE_BYTES + 8 * count;
  }

  /** Asked before a text is built. */
  public static void allowText(long chars) {
    if (chars > MAX_TEXT_CHARS) {
      throw tooLarge();
    }
  }

  /** Asked before an array is built. */
  public static void allowItems(long items) {
    if (items > MAX_ITEMS) {
      throw tooLarge();
    }
  }

  /** Asked while an aggregate gathers values. */
  public static void allowGathered(long bytes) {
    if (bytes > MAX_WEIGHT) {
      throw tooLarge();
    }
  }

  /** Walks a value that was built, no further than the limit. */
  public static Value allow(Value value, Work work) {
    if (value instanceof Value.Arr || value instanceof Value.Obj) {
      work.chars(MAX_WEIGHT - weigh(value, MAX_WEIGHT));
    }
    return value;
  }

  /** At least how many characters a value takes when it is written; refused beyond the limit. */
  static long written(Value value) {
    return MAX_WEIGHT - weigh(value, MAX_WEIGHT);
  }

  /** About how much memory a value takes. */
  public static long memoryBytes(Value value) {
    int raw = RawJson.sizeOf(value);
    if (raw >= 0) {
      return VALUE_BYTES + raw;
    }
    long bytes = VALUE_BYTES;
    switch (value) {
      case Value.Text(String text) -> bytes += text.length();
      case Value.Arr(List<Value> items) -> {
        for (Value item : items) {
          bytes += memoryBytes(item);
        }
      }
      case Value.Obj(Map<String, Value> members) -> {
        for (Map.Entry<String, Value> member : members.entrySet()) {
          bytes += VALUE_BYTES + member.getKey().length() + memoryBytes(member.getValue());
        }
      }
      default -> {}
    }
    return bytes;
  }

  private static long weigh(Value value, long left) {
    long rest = left - 1 - Math.max(0, RawJson.sizeOf(value));
    if (rest < left - 1 && rest >= 0) {
      return rest;
    }
    switch (value) {
      case Value.Text(String text) -> rest -= text.length();
      case Value.Arr(List<Value> items) -> {
        for (Value item : items) {
          rest = weigh(item, rest);
        }
      }
      case Value.Obj(Map<String, Value> members) -> {
        for (Map.Entry<String, Value> member : members.entrySet()) {
          rest = weigh(member.getValue(), rest - member.getKey().length());
        }
      }
      default -> {}
    }
    if (rest < 0) {
      throw tooLarge();
    }
    return rest;
  }

  private static QueryRefused tooLarge() {
    return QueryRefused.plain("The query builds a value that is too large.");
  }
}
