package io.orrery.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes long inputs of short ones, so that nesting, quadratic loops and colliding names are within
 * reach of a few mutations: 0xFE, n repeats the last byte 2^n times, 0xFF, n the last eight bytes.
 * For JSON, 0xFD, n stands for 2^n members of an object, see {@link #COLLIDING}. None of these
 * bytes occurs in UTF-8.
 */
final class Expansion {
  static final int BYTES_MAX = 256 << 10;

  private static final int MEMBERS = 0xFD;
  private static final int ONE = 0xFE;
  private static final int PIECES = 12;

  /**
   * Members whose names have the same pieces in another order: Jackson's table of names does not
   * tell them apart, and neither does the hash of a string.
   */
  private static final List<byte[]> COLLIDING =
      IntStream.range(0, 1 << PIECES)
          .filter(order -> Integer.bitCount(order) == PIECES / 2)
          .mapToObj(Expansion::member)
          .toList();

  private Expansion() {}

  private static byte[] member(int order) {
    var text = new StringBuilder(",\"AaAaAaAaAaAa");
    for (int piece = 0; piece < PIECES; piece++) {
      text.append((order >> piece & 1) == 0 ? "AaBB" : "BBAa");
    }
    return text.append("\":0").toString().getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] of(byte[] input) {
    return of(input, ONE);
  }

  static byte[] ofJson(byte[] input) {
    return of(input, MEMBERS);
  }

  private static byte[] of(byte[] input, int firstCode) {
    var out = new Expanded(input.length);
    for (int i = 0; i < input.length && out.hasRoom(); i++) {
      int unit = input[i] & 0xFF;
      if (unit < firstCode || i + 1 == input.length) {
        out.write(unit);
        continue;
      }
      int times = 1 << (input[++i] & 0xF);
      switch (unit) {
        case MEMBERS -> out.members(times);
        case ONE -> out.repeat(1, times);
        default -> out.repeat(8, times);
      }
    }
    return out.toByteArray();
  }

  private static final class Expanded extends ByteArrayOutputStream {
    Expanded(int bytes) {
      super(bytes);
    }

    boolean hasRoom() {
      return count < BYTES_MAX;
    }

    void members(int times) {
      for (int i = 0; i < Math.min(times, COLLIDING.size()) && hasRoom(); i++) {
        writeBytes(COLLIDING.get(i));
      }
    }

    void repeat(int bytes, int times) {
      byte[] last = Arrays.copyOfRange(buf, Math.max(0, count - bytes), count);
      for (int i = 0; i < times && hasRoom(); i++) {
        writeBytes(last);
      }
    }
  }
}
