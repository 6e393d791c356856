package io.orrery.fuzz;

import java.nio.charset.StandardCharsets;

/** Inputs as texts. */
final class Utf8 {
  private Utf8() {}

  /** What is no UTF-8 becomes the replacement character. */
  static String text(byte[] input) {
    return new String(Expansion.of(input), StandardCharsets.UTF_8);
  }

  /** One character per byte, as headers arrive. */
  static String latin1(byte[] input) {
    return new String(Expansion.of(input), StandardCharsets.ISO_8859_1);
  }
}
