package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes being put together, kept for the next use. Plain arrays: a head has some forty pieces, and
 * the checks of a buffer would cost more than copying them. What grows beyond a segment goes on in
 * another, so that nothing large is copied or allocated at once: that would hold an event loop.
 */
public final class AsciiOut {
  private static final int SEGMENT_BYTES = 128 << 10;

  private final List<ByteBuf> full = new ArrayList<>(0);
  private int fullBytes;
  private byte[] bytes = new byte[2_048];
  private int size;

  public AsciiOut clear() {
    full.clear();
    fullBytes = 0;
    size = 0;
    return this;
  }

  public int size() {
    return fullBytes + size;
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
    return put(more, 0, length);
  }

  /** The bytes between two places of an array. */
  public AsciiOut put(byte[] more, int from, int to) {
    int at = from;
    while (at < to) {
      int length = Math.min(to - at, SEGMENT_BYTES);
      reserve(length);
      System.arraycopy(more, at, bytes, size, length);
      size += length;
      at += length;
    }
    return this;
  }

  /** What was put together elsewhere. */
  public AsciiOut put(AsciiOut other) {
    other.full.forEach(segment -> put(segment.array(), segment.readableBytes()));
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
    full.forEach(segment -> out.writeBytes(segment.array(), 0, segment.readableBytes()));
    out.writeBytes(bytes, 0, size);
  }

  /** Writes a head and this behind it, in buffers that the pool has. */
  void send(ChannelHandlerContext context, AsciiOut head) {
    ByteBuf out = context.alloc().buffer(head.size() + (full.isEmpty() ? size : 0));
    head.writeTo(out);
    if (!full.isEmpty()) {
      ResponseHead.send(context, out);
      for (ByteBuf segment : full) {
        int segmentBytes = segment.readableBytes();
        out = context.alloc().buffer(segmentBytes);
        ResponseHead.send(context, out.writeBytes(segment.array(), 0, segmentBytes));
      }
      out = context.alloc().buffer(size);
    }
    ResponseHead.send(context, out.writeBytes(bytes, 0, size));
  }

  private void reserve(int more) {
    if (bytes.length - size >= more) {
      return;
    }
    if (size + more <= SEGMENT_BYTES) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    } else {
      full.add(Unpooled.wrappedBuffer(bytes, 0, size));
      fullBytes += size;
      bytes = new byte[Math.max(SEGMENT_BYTES, more)];
      size = 0;
    }
  }
}
