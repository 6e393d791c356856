package io.orrery.partition.format.v1;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import java.util.Arrays;

/** A range of effective partition keys as it cuts the entries of a partition. */
public final class KeyBounds {
  private final EpkRange range;
  private final byte[] min;
  private final byte[] max;

  private KeyBounds(EpkRange range) {
    this.range = range;
    min = withoutKind(range.min());
    max = withoutKind(range.max());
  }

  public static KeyBounds of(EpkRange range) {
    return new KeyBounds(range);
  }

  private static byte[] withoutKind(EffectivePartitionKey epk) {
    byte[] key = Keys.from((byte) 0, epk);
    return Arrays.copyOfRange(key, 1, key.length);
  }

  /** Whether the P that these bytes hold lies within. */
  public boolean hold(byte[] bytes, int from, int to) {
    return Arrays.compareUnsigned(bytes, from, to, min, 0, min.length) >= 0
        && Arrays.compareUnsigned(bytes, from, to, max, 0, max.length) < 0;
  }

  public boolean hold(byte[] logicalPartition) {
    return hold(logicalPartition, 0, logicalPartition.length);
  }

  /** The first key of a kind whose keys begin with P. */
  public byte[] first(byte kind) {
    return Keys.from(kind, range.min());
  }

  /** The end of a kind whose keys begin with P. */
  public byte[] end(byte kind) {
    return Keys.from(kind, range.max());
  }
}
