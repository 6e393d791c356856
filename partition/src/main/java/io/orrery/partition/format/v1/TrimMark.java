package io.orrery.partition.format.v1;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last transaction of a range that is no longer in the history, and its time.
 *
 * @param lsn 0 where nothing is gone yet
 */
public record TrimMark(EpkRange range, long lsn, long ticks) {
  private static final int MAX_AT = 16;

  public static TrimMark decode(byte[] key, byte[] value) {
    var bytes = ByteBuffer.wrap(value);
    long lsn = bytes.getLong();
    long ticks = bytes.getLong();
    if (value.length == MAX_AT) {
      return new TrimMark(EpkRange.ALL, lsn, ticks);
    }
    return new TrimMark(new EpkRange(epk(key, 1), epk(value, MAX_AT)), lsn, ticks);
  }

  private static EffectivePartitionKey epk(byte[] bytes, int from) {
    return new EffectivePartitionKey(
        new String(bytes, from, bytes.length - from, StandardCharsets.US_ASCII));
  }

  public byte[] key() {
    return Keys.trimmed(range.min());
  }

  public byte[] encode() {
    byte[] max =
        range.equals(EpkRange.ALL)
            ? new byte[0]
            : range.max().hex().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(MAX_AT + max.length).putLong(lsn).putLong(ticks).put(max).array();
  }

  /** What is left of it in another range. */
  public TrimMark within(EpkRange other) {
    return new TrimMark(range.intersect(other), lsn, ticks);
  }

  /** The same after one more transaction has gone; they need not go in order. */
  public TrimMark and(long goneLsn, long goneTicks) {
    return new TrimMark(range, Math.max(lsn, goneLsn), Math.max(ticks, goneTicks));
  }
}
