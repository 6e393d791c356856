package io.orrery.query;

import io.orrery.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sum of doubles without rounding, so that the order of adding, and with it the number of
 * partitions, does not show.
 */
final class ExactSum {
  /** Fewer than 2^63 numbers below this have a finite sum. */
  private static final double LARGE = 0x1p960;

  /** About the memory of the sum of large numbers. */
  private static final long LARGE_BYTES = 256;

  /** The steps for each part where the sum is made with all its digits, a thousand at most. */
  private static final long EXACT_STEPS = 500;

  /** Their sum is the exact one; no two have digits of the same weight, so there are few. */
  private double[] parts = new double[2];

  private int size;

  /** The sum of large numbers, all of which are whole; null before the first. */
  private @Nullable BigInteger large;

  /** Adds a number; returns by how many bytes the sum grew. */
  long add(double number) {
    return Math.abs(number) < LARGE
        ? addPart(number)
        : addLarge(new BigDecimal(number).toBigIntegerExact());
  }

  private long addLarge(BigInteger number) {
    BigInteger before = large;
    large = before == null ? number : before.add(number);
    return before == null ? LARGE_BYTES : 0;
  }

  private long addPart(double number) {
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
    long grown = 0;
    if (kept == parts.length) {
      parts = Arrays.copyOf(parts, 2 * kept);
      grown = (long) Double.BYTES * kept;
    }
    parts[kept] = sum;
    size = kept + 1;
    return grown;
  }

  /** The steps of rounding. */
  long steps() {
    return large == null ? size : EXACT_STEPS * (1L + size);
  }

  /** The sum as a double; infinite beyond the range of doubles. */
  double rounded() {
    return large == null ? roundedParts() : exact().doubleValue();
  }

  /**
   * From the greatest part down to the first that does not fit any more. Where that is exactly half
   * of the last place, the parts below it decide which way to round.
   */
  private double roundedParts() {
    int next = size - 1;
    double sum = next < 0 ? 0 : parts[next];
    double rest = 0;
    while (next > 0 && rest == 0) {
      double part = parts[--next];
      double total = sum + part;
      rest = part - (total - sum);
      sum = total;
    }
    if (next > 0 && rest != 0 && rest > 0 == parts[next - 1] > 0) {
      double away = sum + 2 * rest;
      return away - sum == 2 * rest ? away : sum;
    }
    return sum;
  }

  BigDecimal exact() {
    var sum = large == null ? BigDecimal.ZERO : new BigDecimal(large);
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
    if (large != null) {
      saved.add(Value.of(large.toString()));
    }
    return saved;
  }

  /** Adds a sum that was saved; returns by how many bytes this one grew. */
  long absorb(List<Value> saved) {
    long grown = 0;
    for (Value part : saved) {
      grown +=
          part instanceof Value.Text(String digits)
              ? addLarge(new BigInteger(digits))
              : add(((Value.Num) part).asDouble());
    }
    return grown;
  }
}
