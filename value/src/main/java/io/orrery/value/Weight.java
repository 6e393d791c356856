package io.orrery.value;

import java.util.List;
import java.util.Map;

/**
 * About how much memory a parsed value takes: many times its text where that is made of small
 * parts.
 */
public final class Weight {
  private static final long OBJECT = 80;
  private static final long MEMBER = 48;
  private static final long ARRAY = 56;
  private static final long ELEMENT = 8;
  private static final long TEXT = 64;
  private static final long NUMBER = 24;

  private Weight() {}

  public static long bytesOf(Value value) {
    return switch (value) {
      case Value.Undefined _, Value.Null _, Value.Bool _ -> 0;
      case Value.Num _ -> NUMBER;
      case Value.Text(String text) -> bytesOf(text);
      case Value.Arr(List<Value> items) -> {
        long sum = ARRAY;
        for (Value item : items) {
          sum += ELEMENT + bytesOf(item);
        }
        yield sum;
      }
      case Value.Obj(Map<String, Value> members) -> {
        long sum = OBJECT;
        for (Map.Entry<String, Value> member : members.entrySet()) {
          sum += MEMBER + bytesOf(member.getKey()) + bytesOf(member.getValue());
        }
        yield sum;
      }
    };
  }

  /**
   * About how much memory the value of a JSON text takes once it is parsed, at least that of {@link
   * #bytesOf}; the text need not be whole.
   */
  public static long ofText(byte[] text) {
    long sum = 0;
    boolean quoted = false;
    for (int at = 0; at < text.length; at++) {
      byte unit = text[at];
      if (quoted) {
        sum += 2;
        if (unit == '"') {
          quoted = false;
        } else if (unit == '\\') {
          at++;
        }
      } else {
        sum +=
            switch (unit) {
              case '"' -> TEXT;
              case '{' -> OBJECT;
              case '[' -> ARRAY + ELEMENT + NUMBER;
              case ':' -> MEMBER + NUMBER;
              case ',' -> ELEMENT + NUMBER;
              default -> 0;
            };
        quoted = unit == '"';
      }
    }
    return sum;
  }

  /** As if each character took two bytes. */
  private static long bytesOf(String text) {
    return TEXT + 2L * text.length();
  }
}
