package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.function.ValueOrder;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TermEncodingTest {
  @Test
  void bytesSortAsValuesDo() {
    long seed = System.nanoTime();
    RandomItems values = new RandomItems(new Random(seed));
    for (int i = 0; i < 50_000; i++) {
      Value left = values.value(1);
      Value right = values.value(1);
      byte[] one = TermEncoding.encoded(left);
      byte[] other = TermEncoding.encoded(right);
      int byBytes = Integer.signum(Arrays.compareUnsigned(one, other));
      int byValue = Integer.signum(ValueOrder.ORDER.compare(left, right));
      String about = "seed " + seed + ": " + left + " and " + right;
      assertTrue(byBytes == byValue || byBytes == 0, about);
      if (byBytes == 0 && byValue != 0) {
        assertFalse(TermEncoding.isExact(left) || TermEncoding.isExact(right), about);
      }
      if (byBytes != 0) {
        int common = Math.min(one.length, other.length);
        assertTrue(Arrays.mismatch(one, other) < common, "one begins the other, " + about);
        byte[] down = new TermWriter().value(left, true).done();
        byte[] otherDown = new TermWriter().value(right, true).done();
        assertEquals(-byBytes, Integer.signum(Arrays.compareUnsigned(down, otherDown)), about);
      }
      assertEquals(TermEncoding.isExact(left), TermEncoding.isExact(one), about);
    }
  }

  @Test
  void encodingsAreAsDescribed() {
    assertEncoded("10", Value.UNDEFINED);
    assertEncoded("20", Value.NULL);
    assertEncoded("30", Value.FALSE);
    assertEncoded("40", Value.TRUE);
    assertEncoded("508000000000000000", Value.of(0));
    assertEncoded("508000000000000000", new Value.Float64(-0.0));
    assertEncoded("50bff0000000000000", Value.of(1));
    assertEncoded("50400fffffffffffff", Value.of(-1));
    assertEncoded("606100ffc3a90000", Value.of("a\0é"));
    assertEncoded("60f0a0bdf0b8800000", Value.of("\uD83D\uDE00"));
    assertEncoded("7000", Json.parse("[1]"));
    assertEncoded("8000", Json.parse("{}"));
    byte[] cut = TermEncoding.encoded(Value.of("é".repeat(501)));
    assertEquals(1003, cut.length);
    assertArrayEquals(new byte[] {0, 1}, Arrays.copyOfRange(cut, 1001, 1003));
  }

  @Test
  void whatSharesItsEncodingIsNotExact() {
    assertTrue(TermEncoding.isExact(Value.of((1L << 53) - 1)));
    assertFalse(TermEncoding.isExact(Value.of(1L << 53)));
    assertFalse(TermEncoding.isExact(new Value.Float64(1e300)));
    assertTrue(TermEncoding.isExact(Value.of("x".repeat(1000))));
    assertFalse(TermEncoding.isExact(Value.of("x".repeat(1001))));
    assertFalse(TermEncoding.isExact(Json.parse("[]")));
  }

  private static void assertEncoded(String hex, Value value) {
    assertEquals(hex, HexFormat.of().formatHex(TermEncoding.encoded(value)));
  }
}
