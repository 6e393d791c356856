package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.Arrays;

/**
 * Writes terms; the bytes are described in the package's own text. A value that shares its encoding
 * with others ends the term: what follows it would stand in an order that the values do not have.
 */
final class TermWriter {
  static final int TEXT_MAX = 1000;
  static final byte UNDEFINED = 0x10;
  static final byte NULL = 0x20;
  static final byte FALSE = 0x30;
  static final byte TRUE = 0x40;
  static final byte NUMBER = 0x50;
  static final byte TEXT = 0x60;
  static final byte ARRAY = 0x70;
  static final byte OBJECT = (byte) 0x80;

  /** Beyond the last type. */
  static final byte END = (byte) 0x90;

  static final int HASH_BYTES = 8;

  private byte[] bytes = new byte[48];
  private int size;
  private boolean ended;

  /** Empty again, with the room it has. */
  TermWriter again() {
    size = 0;
    ended = false;
    return this;
  }

  TermWriter hash(long hash) {
    room(HASH_BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (hash >>> shift);
    }
    return this;
  }

  TermWriter value(Value value) {
    if (ended) {
      return this;
    }
    switch (value) {
      case Value.Undefined _ -> put(UNDEFINED);
      case Value.Null _ -> put(NULL);
      case Value.Bool bool -> put(bool == Value.Bool.TRUE ? TRUE : FALSE);
      case Value.Num number -> number(number.asDouble());
      case Value.Text(String text) -> {
        put(TEXT);
        boolean whole = text(text);
        put((byte) 0);
        put((byte) (whole ? 0 : 1));
        ended = !whole;
      }
      case Value.Arr _ -> presence(ARRAY);
      case Value.Obj _ -> presence(OBJECT);
    }
    return this;
  }

  TermWriter value(Value value, boolean descending) {
    int from = size;
    value(value);
    if (descending) {
      for (int i = from; i < size; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
    }
    return this;
  }

  /** The beginning of all strings that begin so. */
  TermWriter textPrefix(String prefix) {
    put(TEXT);
    text(prefix);
    return this;
  }

  TermWriter raw(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
    return this;
  }

  byte[] done() {
    return Arrays.copyOf(bytes, size);
  }

  private void presence(byte type) {
    put(type);
    put((byte) 0);
    ended = true;
  }

  private void number(double number) {
    put(NUMBER);
    ended = !(Math.abs(number) < TermEncoding.EXACT_BELOW);
    long bits = Double.doubleToLongBits(number + 0.0);
    hash(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
  }

  /**
   * False when only the first bytes were taken: whole bytes, so that cut texts keep their order.
   */
  private boolean text(String text) {
    int end = size + TEXT_MAX;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      room(4);
      if (c == 0) {
        if (size == end) {
          return false;
        }
        bytes[size++] = 0;
        bytes[size++] = (byte) 0xFF;
        end++; // the escape is not part of the text
      } else if (c < 0x80) {
        if (size == end) {
          return false;
        }
        bytes[size++] = (byte) c;
      } else if (!wide(c, end)) {
        return false;
      }
    }
    return true;
  }

  private boolean wide(char c, int end) {
    if (c < 0x800) {
      bytes[size++] = (byte) (0xC0 | (c >> 6));
    } else {
      // Surrogates sort above all other units, as in the order of values.
      bytes[size++] = (byte) (Character.isSurrogate(c) ? 0xF0 : 0xE0 | (c >> 12));
      bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
    }
    bytes[size++] = (byte) (0x80 | (c & 0x3F));
    if (size > end) {
      size = end;
      return false;
    }
    return true;
  }

  private void put(byte one) {
    room(1);
    bytes[size++] = one;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
