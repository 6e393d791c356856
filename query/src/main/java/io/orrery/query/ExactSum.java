package io.orrery.query;

import io.orrery.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A sum of doubles without rounding, so that the order of adding, and with it the number of
 * partitions, does not show.
 */
final class ExactSum {
  /** Fewer than 2^63 numbers below this have a finite sum. */
  private static final double LARGE = 0x1p960;

  /** Their sum is the exact one; no two have digits of the same weight, so there are few. */
  private double[] parts = new double[2];

  private int size;

  /** The sum of large numbers, all of which are whole. */
  private BigInteger large = BigInteger.ZERO;

  void add(double number) {
    if (Math.abs(number) < LARGE) {
      addPart(number);
    } else {
      large = large.add(new BigDecimal(number).toBigIntegerExact());
    }
  }

  private void addPart(double number) {
    double sum = number;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      double part = parts[i];
      double total = sum + part;
      double added = total - sum;
      double rest = (sum - (total - added)) + (part - added);
      if (rest != 0) {
        parts[kept++] = rest;
      }
      sum = total;
    }
    if (kept == parts.length) {
      parts = Arrays.copyOf(parts, 2 * kept);
    }
    parts[kept] = sum;
    size = kept + 1;
  }

  /** The sum as a double; infinite where that is too small for it. */
  double rounded() {
    if (size <= 1 && large.signum() == 0) {
      return size == 0 ? 0 : parts[0];
    }
    return exact().doubleValue();
  }

  BigDecimal exact() {
    var sum = new BigDecimal(large);
    for (int i = 0; i < size; i++) {
      sum = sum.add(new BigDecimal(parts[i]));
    }
    return sum;
  }

  /** Numbers, and a text of digits, which JSON can write. */
  List<Value> save() {
    List<Value> saved = new ArrayList<>(size + 1);
    for (int i = 0; i < size; i++) {
      saved.add(Value.of(parts[i]));
    }
    if (large.signum() != 0) {
      saved.add(Value.of(large.toString()));
    }
    return saved;
  }

  void absorb(List<Value> saved) {
    for (Value part : saved) {
      if (part instanceof Value.Text(String digits)) {
        large = large.add(new BigInteger(digits));
      } else {
        add(((Value.Num) part).asDouble());
      }
    }
  }
}
