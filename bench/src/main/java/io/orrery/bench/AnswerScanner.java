package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds where answers end. All answers of a load look alike, so the end of a head is first looked
 * for near the place where the last one was.
 */
final class AnswerScanner {
  private static final int LOOK_BACK = 48;
  private static final int HEAD_BYTES_LEAST = 16;
  private static final int STATUS_AT = 9;
  private static final String LENGTH = "\ncontent-length:";
  private static final String CHUNKED = "\ntransfer-encoding: chunked";
  private static final int MORE_TO_COME = 1 << 30;

  private int lastHeadBytes;

  /** The bytes of the answer at the reader index, or -1 while some are missing. */
  int answerBytes(ByteBuf in) {
    int start = in.readerIndex();
    int headEnd = headEnd(in, Math.max(start, start + lastHeadBytes - LOOK_BACK));
    if (headEnd < 0) {
      headEnd = headEnd(in, start);
    }
    if (headEnd < 0) {
      return -1;
    }
    lastHeadBytes = headEnd - start;
    int whole = lastHeadBytes + contentBytes(in, start, headEnd);
    return in.readableBytes() < whole ? -1 : whole;
  }

  /** The bytes of the last head that was found, its empty line included. */
  int headBytes() {
    return lastHeadBytes;
  }

  static int status(ByteBuf in) {
    int at = in.readerIndex() + STATUS_AT;
    return in.readableBytes() < HEAD_BYTES_LEAST
        ? 0
        : (in.getByte(at) - '0') * 100 + (in.getByte(at + 1) - '0') * 10 + in.getByte(at + 2) - '0';
  }

  private static int headEnd(ByteBuf in, int from) {
    int at = from;
    while (at < in.writerIndex()) {
      at = in.forEachByte(at, in.writerIndex() - at, ByteProcessor.FIND_CR);
      if (at < 0 || at + 4 > in.writerIndex()) {
        return -1;
      }
      if (in.getInt(at) == 0x0D0A0D0A) {
        return at + 4;
      }
      at++;
    }
    return -1;
  }

  /** The servers write the length last; any other place is searched for. */
  private static int contentBytes(ByteBuf in, int start, int headEnd) {
    int at = headEnd - 5;
    int value = 0;
    for (int unit = 1; in.getByte(at) >= '0' && in.getByte(at) <= '9'; unit *= 10, at--) {
      value += unit * (in.getByte(at) - '0');
    }
    String name = LENGTH.substring(LENGTH.length() - 7);
    int nameAt = at - name.length();
    if (in.getByte(at) == ' '
        && in.toString(nameAt, name.length(), StandardCharsets.US_ASCII).equalsIgnoreCase(name)) {
      return value;
    }
    String head =
        in.toString(start, headEnd - start, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    int found = head.indexOf(LENGTH);
    if (found < 0) {
      return head.contains(CHUNKED) ? chunkedBytes(in, headEnd) : 0;
    }
    int from = found + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
  }

  /** Peers do not always know the length before. */
  private static int chunkedBytes(ByteBuf in, int headEnd) {
    int at = headEnd;
    while (true) {
      int lineEnd = in.indexOf(at, in.writerIndex(), (byte) '\r');
      if (lineEnd < 0) {
        return MORE_TO_COME;
      }
      int chunk =
          Integer.parseInt(in.toString(at, lineEnd - at, StandardCharsets.US_ASCII).strip(), 16);
      at = lineEnd + 2 + chunk + 2;
      if (chunk == 0 || at > in.writerIndex()) {
        return chunk == 0 ? at - headEnd : MORE_TO_COME;
      }
    }
  }
}
