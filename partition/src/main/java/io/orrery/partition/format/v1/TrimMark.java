package io.orrery.partition.format.v1;

import java.nio.ByteBuffer;

/** The last transaction that is no longer in the history, and its time. */
public record TrimMark(long lsn, long ticks) {

  public static TrimMark decode(byte[] value) {
    var bytes = ByteBuffer.wrap(value);
    return new TrimMark(bytes.getLong(), bytes.getLong());
  }

  public byte[] encode() {
    return ByteBuffer.allocate(16).putLong(lsn).putLong(ticks).array();
  }
}
