package io.orrery.query.function;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
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

  /** Few doubles take more characters as JSON; most take fewer. */
  private static final long NUMBER_CHARS = 24;

  /** Inputs that are built of each other nest values deeper than the text of the query. */
  private static final int MAX_DEPTH = 800;

  /** Stored text nests less deep; text made of built values has up to {@link #MAX_DEPTH} more. */
  private static final int MAX_TEXT_DEPTH = MAX_DEPTH + Json.NESTING_MAX;

  /** Text that fewer levels are built over is not looked into each time. */
  private static final int SHALLOW_DEPTH = 64;

  private static final int SHORT_CHARS = 1024;
  private static final long ESCAPE_CHARS = 5;

  private Sizes() {}

  static long textBytes(long chars) {
    return VALUE_BYTES + 2 * chars;
  }

  static long itemsBytes(long count) {
    return VALUE_BYTES + 8 * count;
  }

  static long partsBytes(long count) {
    return VALUE_BYTES * count;
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
      work.chars(MAX_WEIGHT - weigh(value, MAX_WEIGHT, 0));
    }
    return value;
  }

  /**
   * The same for an object whose members are parts of items: weighed only where their number and
   * length let it exceed the limit.
   */
  public static Value allowParts(Value value, Work work) {
    long most = 0;
    if (value instanceof Value.Obj(Map<String, Value> members)) {
      for (Value member : members.values()) {
        int raw = RawJson.sizeOf(member);
        most +=
            switch (member) {
              case Value.Text(String text) -> (1 + ESCAPE_CHARS) * text.length();
              case Value.Arr _, Value.Obj _ -> raw < 0 ? MAX_WEIGHT : raw;
              default -> NUMBER_CHARS;
            };
      }
    }
    return most > MAX_WEIGHT / 2 ? allow(value, work) : value;
  }

  /** About how many characters a value takes when it is written; refused beyond the limit. */
  static long written(Value value) {
    return MAX_WEIGHT - weigh(value, MAX_WEIGHT, 0);
  }

  /** About how much memory a value takes. */
  public static long memoryBytes(Value value) {
    int raw = RawJson.sizeOf(value);
    if (raw >= 0) {
      return VALUE_BYTES + raw + RawJson.indexBytes(value);
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

  /** About how much memory a part takes that is read from stored text: an array stays text. */
  public static long partBytes(Value part) {
    return part instanceof Value.Text(String text) ? textBytes(text.length()) : VALUE_BYTES;
  }

  /**
   * The value as text of its own. Text counts as one level from then on, so its inner levels are
   * checked here; otherwise a value that is detached repeatedly could nest without bound.
   */
  public static Value detached(Value value) {
    Value own = RawJson.detached(value);
    // A part of text nests no deeper than that does.
    if (RawJson.sizeOf(value) < 0 && RawJson.nestsDeeper(own, MAX_TEXT_DEPTH)) {
      throw tooLarge();
    }
    return own;
  }

  private static long weigh(Value value, long left, int depth) {
    int raw = RawJson.sizeOf(value);
    long rest = left - 1 - Math.max(0, raw);
    if (raw >= 0 && depth > SHALLOW_DEPTH && RawJson.nestsDeeper(value, MAX_TEXT_DEPTH - depth)) {
      throw tooLarge();
    }
    if (raw < 0 && depth <= MAX_DEPTH) {
      switch (value) {
        case Value.Int64(long number) -> rest -= digits(number);
        case Value.Float64 _ -> rest -= NUMBER_CHARS;
        case Value.Text(String text) -> rest -= written(text);
        case Value.Arr(List<Value> items) -> {
          for (Value item : items) {
            rest = weigh(item, rest, depth + 1);
          }
        }
        case Value.Obj(Map<String, Value> members) -> {
          for (Map.Entry<String, Value> member : members.entrySet()) {
            rest = weigh(member.getValue(), rest - written(member.getKey()), depth + 1);
          }
        }
        default -> {}
      }
    }
    if (rest < 0 || depth > MAX_DEPTH) {
      throw tooLarge();
    }
    return rest;
  }

  /** At least the digits and the sign of a number: ten bits are about three digits. */
  private static int digits(long number) {
    return 2 + 3 * (Long.SIZE - Long.numberOfLeadingZeros(Math.abs(number))) / 10;
  }

  /** The characters of a text as JSON; escapes count in long texts only. */
  private static long written(String text) {
    long chars = text.length();
    if (chars > SHORT_CHARS) {
      for (int i = 0; i < text.length(); i++) {
        int point = text.codePointAt(i);
        if (point < ' ' || Character.getType(point) == Character.SURROGATE) {
          chars += ESCAPE_CHARS;
        } else if (point == '"' || point == '\\') {
          chars++;
        }
        i += Character.charCount(point) - 1;
      }
    }
    return chars;
  }

  private static QueryRefused tooLarge() {
    return QueryRefused.plain(
        "The query builds a value that is too large: it may have "
            + MAX_WEIGHT
            + " characters as JSON, "
            + MAX_ITEMS
            + " elements from one function, and "
            + MAX_DEPTH
            + " levels. Combine less in one value.");
  }
}
