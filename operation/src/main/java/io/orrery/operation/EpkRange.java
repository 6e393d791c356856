package io.orrery.operation;

import java.io.Serializable;

/** Effective partition keys from {@code min} (inclusive) to {@code max} (exclusive). */
public record EpkRange(EffectivePartitionKey min, EffectivePartitionKey max)
    implements Serializable {
  public static final EpkRange ALL =
      new EpkRange(EffectivePartitionKey.MIN, EffectivePartitionKey.MAX);

  public boolean contains(EffectivePartitionKey epk) {
    return min.compareTo(epk) <= 0 && epk.compareTo(max) < 0;
  }

  public boolean overlaps(EpkRange other) {
    return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
  }

  public boolean isEmpty() {
    return min.compareTo(max) >= 0;
  }

  public EpkRange intersect(EpkRange other) {
    return new EpkRange(
        min.compareTo(other.min) >= 0 ? min : other.min,
        max.compareTo(other.max) <= 0 ? max : other.max);
  }
}
