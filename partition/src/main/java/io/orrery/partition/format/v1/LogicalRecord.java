package io.orrery.partition.format.v1;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What is kept about a logical partition as a whole. */
public record LogicalRecord(long sizeBytes, long items, long lastLsn) {
  public static final LogicalRecord EMPTY = new LogicalRecord(0, 0, 0);

  public static LogicalRecord decode(byte @Nullable [] value) {
    if (value == null) {
      return EMPTY;
    }
    var bytes = ByteBuffer.wrap(value);
    return new LogicalRecord(bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  public byte[] encode() {
    return ByteBuffer.allocate(24).putLong(sizeBytes).putLong(items).putLong(lastLsn).array();
  }

  public LogicalRecord plus(long bytes, long moreItems, long lsn) {
    return new LogicalRecord(sizeBytes + bytes, items + moreItems, lsn);
  }
}
