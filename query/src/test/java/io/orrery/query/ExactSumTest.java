package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sums are rounded once, to the nearest number and between two of them to the even one. */
class ExactSumTest {
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private static double sum(double... numbers) {
    var sum = new ExactSum();
    for (double number : numbers) {
      sum.add(number);
    }
    return sum.rounded();
  }

  @Test
  void whatLiesBelowAHalfDecides() {
    assertEquals(0x1p53, sum(0x1p53, 1));
    assertEquals(0x1p53 + 2, sum(0x1p53, 1, Double.MIN_VALUE));
    assertEquals(0x1p53, sum(0x1p53, 1, -Double.MIN_VALUE));
    assertEquals(0x1p53 + 4, sum(0x1p53 + 2, 1));
    assertEquals(0x1p53 + 2, sum(0x1p53 + 2, 1, -Double.MIN_VALUE));
    assertEquals(-0x1p53 - 2, sum(-0x1p53, -1, -0x1p-600));
    assertEquals(0, sum(1, -1));
    assertEquals(0, sum());
  }

  @Test
  void randomSumsAreThoseOfDecimals() {
    for (int round = 0; round < 10_000; round++) {
      var sum = new ExactSum();
      var exact = BigDecimal.ZERO;
      int spread = 1 + random.nextInt(round % 2 == 0 ? 120 : 1_900);
      for (int left = random.nextInt(12); left > 0; left--) {
        // Few bits, so that many sums lie half way between two numbers.
        double number = Math.scalb((double) random.nextInt(-4, 5), random.nextInt(spread) - 1_074);
        sum.add(number);
        exact = exact.add(new BigDecimal(number));
      }
      assertEquals(exact.doubleValue(), sum.rounded() + 0.0, () -> "seed " + seed);
    }
  }
}
