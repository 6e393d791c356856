package io.orrery.value;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes values as the shortest JSON text; belongs to one thread. */
final class JsonOut {
  /** What queries build may nest deeper than what clients send, but not without end. */
  static final int NESTING_MAX = 1_000;

  private static final int PIECE_CHARS = 256;
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
  };

  private final int nestingMax;
  private final boolean isStored;
  private byte[] out;
  private int size;
  private int depth;
  private boolean nonFinite;

  /**
   * Writes into an array that grows.
   *
   * @param isStored whether the text is read again as a client's: then half of a surrogate pair is
   *     refused; what queries cut in two is written as an escape
   */
  JsonOut(int capacityBytes, int nestingMax, boolean isStored) {
    this.nestingMax = nestingMax;
    this.isStored = isStored;
    out = new byte[capacityBytes];
  }

  byte[] toBytes() {
    return size == out.length ? out : Arrays.copyOf(out, size);
  }

  /** Whether the text reads as other values than were written, as numbers did not fit JSON. */
  boolean hasNonFiniteNumbers() {
    return nonFinite;
  }

  void value(Value value) {
    switch (value) {
      case Value.Undefined _ ->
          throw new IllegalArgumentException("Undefined has no place in JSON text");
      case Value.Null _ -> ascii("null");
      case Value.Bool bool -> ascii(bool == Value.Bool.TRUE ? "true" : "false");
      case Value.Int64(long number) -> ascii(Long.toString(number));
      case Value.Float64(double number) -> number(number);
      case Value.Text(String text) -> string(text);
      case Value.Arr(RawText raw) -> raw.putInto(this);
      case Value.Arr(List<Value> items) -> array(items);
      case Value.Obj(RawText raw) -> raw.putInto(this);
      case Value.Obj(Map<String, Value> members) -> object(members);
    }
  }

  /** What JSON has no number for is written as its name. */
  private void number(double number) {
    String text = Double.toString(number);
    if (Double.isFinite(number)) {
      ascii(text);
    } else {
      nonFinite = true;
      string(text);
    }
  }

  private void array(List<Value> items) {
    enter('[');
    boolean first = true;
    for (Value item : items) {
      if (!first) {
        put(',');
      }
      first = false;
      value(item);
    }
    leave(']');
  }

  private void object(Map<String, Value> members) {
    enter('{');
    boolean first = true;
    for (Map.Entry<String, Value> member : members.entrySet()) {
      if (!first) {
        put(',');
      }
      first = false;
      string(member.getKey());
      put(':');
      value(member.getValue());
    }
    leave('}');
  }

  private void enter(char bracket) {
    if (++depth > nestingMax) {
      throw new MalformedBody("Nested deeper than " + nestingMax);
    }
    put(bracket);
  }

  private void leave(char bracket) {
    depth--;
    put(bracket);
  }

  void put(byte[] bytes, int from, int to) {
    ensure(to - from);
    System.arraycopy(bytes, from, out, size, to - from);
    size += to - from;
  }

  void put(char ascii) {
    ensure(1);
    out[size++] = (byte) ascii;
  }

  @SuppressWarnings("deprecation") // Takes the low bytes, which is what ASCII is.
  void ascii(String text) {
    int length = text.length();
    ensure(length);
    text.getBytes(0, length, out, size);
    size += length;
  }

  void string(String text) {
    put('"');
    int at = 0;
    while (at < text.length()) {
      at = piece(text, at, Math.min(text.length(), at + PIECE_CHARS));
    }
    put('"');
  }

  /** Room is made for a piece at a time, as for the longest form: six bytes for each character. */
  private int piece(String text, int from, int to) {
    ensure(6 * PIECE_CHARS);
    int at = from;
    while (at < to) {
      char unit = text.charAt(at++);
      if (unit < 0x80) {
        basic(unit);
      } else if (unit < 0x800) {
        out[size++] = (byte) (0xC0 | unit >> 6);
        out[size++] = tail(unit);
      } else if (!Character.isSurrogate(unit)) {
        out[size++] = (byte) (0xE0 | unit >> 12);
        out[size++] = tail(unit >> 6);
        out[size++] = tail(unit);
      } else {
        at += pair(text, at - 1);
      }
    }
    return at;
  }

  private void basic(char unit) {
    if (unit >= 0x20 && unit != '"' && unit != '\\') {
      out[size++] = (byte) unit;
      return;
    }
    out[size++] = '\\';
    switch (unit) {
      case '"', '\\' -> out[size++] = (byte) unit;
      case '\b' -> out[size++] = 'b';
      case '\f' -> out[size++] = 'f';
      case '\n' -> out[size++] = 'n';
      case '\r' -> out[size++] = 'r';
      case '\t' -> out[size++] = 't';
      default -> {
        out[size++] = 'u';
        out[size++] = '0';
        out[size++] = '0';
        out[size++] = HEX[unit >> 4];
        out[size++] = HEX[unit & 15];
      }
    }
  }

  /** How many units more than the first were written. */
  private int pair(String text, int at) {
    if (at + 1 == text.length()
        || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
      half(text.charAt(at));
      return 0;
    }
    int point = text.codePointAt(at);
    out[size++] = (byte) (0xF0 | point >> 18);
    out[size++] = tail(point >> 12);
    out[size++] = tail(point >> 6);
    out[size++] = tail(point);
    return 1;
  }

  private void half(char unit) {
    if (isStored) {
      throw new MalformedBody("A string holds an unpaired surrogate");
    }
    out[size++] = '\\';
    out[size++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      out[size++] = HEX[unit >> shift & 15];
    }
  }

  private static byte tail(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private void ensure(long more) {
    if (size + more > out.length) {
      long wanted = Math.max(size + more, 2L * out.length);
      out = Arrays.copyOf(out, Math.toIntExact(wanted));
    }
  }
}
