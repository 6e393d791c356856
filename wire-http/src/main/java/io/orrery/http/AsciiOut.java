package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.Arrays;

/**
 * Bytes being put together, kept for the next use. Plain arrays: a head has some forty pieces, and
 * the checks of a buffer would cost more than copying them.
 */
public final class AsciiOut {
  private byte[] bytes = new byte[2_048];
  private int size;

  public AsciiOut clear() {
    size = 0;
    return this;
  }

  public int size() {
    return size;
  }

  public AsciiOut put(AsciiString text) {
    reserve(text.length());
    System.arraycopy(text.array(), text.arrayOffset(), bytes, size, text.length());
    size += text.length();
    return this;
  }

  public AsciiOut put(byte[] more) {
    return put(more, more.length);
  }

  /** The first bytes of an array. */
  public AsciiOut put(byte[] more, int length) {
    reserve(length);
    System.arraycopy(more, 0, bytes, size, length);
    size += length;
    return this;
  }

  /** The bytes between two places of an array. */
  public AsciiOut put(byte[] more, int from, int to) {
    reserve(to - from);
    System.arraycopy(more, from, bytes, size, to - from);
    size += to - from;
    return this;
  }

  /** What was put together elsewhere. */
  public AsciiOut put(AsciiOut other) {
    return put(other.bytes, other.size);
  }

  public AsciiOut put(String text) {
    return put(text, 0, text.length());
  }

  /** A part of a text; what is not ASCII becomes a question mark. */
  public AsciiOut put(String text, int begin, int end) {
    reserve(end - begin);
    for (int i = begin; i < end; i++) {
      char c = text.charAt(i);
      bytes[size++] = c < 0x80 ? (byte) c : (byte) '?';
    }
    return this;
  }

  public AsciiOut put(char c) {
    reserve(1);
    bytes[size++] = (byte) c;
    return this;
  }

  /** A number that is not negative. */
  public AsciiOut number(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    reserve(digits);
    long rest = number;
    for (int at = size + digits - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    return this;
  }

  /** A number in units of its last place: 667 with two places is 6.67, and 100 is 1. */
  public AsciiOut decimal(long scaled, int places) {
    long unit = 1;
    for (int i = 0; i < places; i++) {
      unit *= 10;
    }
    number(scaled / unit);
    long rest = scaled % unit;
    if (rest > 0) {
      put('.');
    }
    for (long place = unit / 10; rest > 0; place /= 10) {
      put((char) ('0' + rest / place));
      rest %= place;
    }
    return this;
  }

  public void writeTo(ByteBuf out) {
    out.writeBytes(bytes, 0, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
