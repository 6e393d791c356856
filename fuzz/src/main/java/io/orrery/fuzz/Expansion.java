package io.orrery.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Makes long inputs of short ones, so that nesting and quadratic loops are within reach of a few
 * mutations: 0xFE, n repeats the byte before it 2^n times, 0xFF, n the eight bytes before it.
 * Neither byte occurs in UTF-8.
 */
final class Expansion {
  static final int BYTES_MAX = 64 << 10;

  private static final int ONE = 0xFE;

  private Expansion() {}

  static byte[] of(byte[] input) {
    var out = new ByteArrayOutputStream(input.length);
    for (int i = 0; i < input.length && out.size() < BYTES_MAX; i++) {
      int unit = input[i] & 0xFF;
      if (unit < ONE || i + 1 == input.length) {
        out.write(unit);
        continue;
      }
      int from = Math.max(0, i - (unit == ONE ? 1 : 8));
      byte[] last = Arrays.copyOfRange(input, from, i);
      for (int left = 1 << (input[++i] & 0xF); left > 0 && out.size() < BYTES_MAX; left--) {
        out.writeBytes(last);
      }
    }
    return out.toByteArray();
  }
}
