package io.orrery.rocksdb;

import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.nio.ByteBuffer;

/** The bytes of keys, heads and records; specified in the package's description. */
final class Layout {
  static final int FORMAT = 1;
  static final int PREFIX_BYTES = 8;

  static final byte[] FORMAT_KEY = {'v'};
  static final byte DROPPED = 'd';
  static final byte FREEING = 'f';

  /** The value in place of a head while a partition has only been loaded. */
  static final byte[] LOADED = {};

  private static final byte HEAD_FORMAT = 1;
  private static final int HEAD_BYTES = 1 + 3 * 8 + 1 + 2 * 8 + 4 + 2 * 8;

  private Layout() {}

  static byte[] prefix(PartitionId id) {
    return bigEndian(id.value());
  }

  /** The first key behind all keys of the partition; ids are not negative, so there is one. */
  static byte[] prefixEnd(PartitionId id) {
    return bigEndian(id.value() + 1);
  }

  static byte[] dataKey(byte[] prefix, byte[] key) {
    var bytes = new byte[PREFIX_BYTES + key.length];
    System.arraycopy(prefix, 0, bytes, 0, PREFIX_BYTES);
    System.arraycopy(key, 0, bytes, PREFIX_BYTES, key.length);
    return bytes;
  }

  static byte[] metaKey(byte record, PartitionId id) {
    return ByteBuffer.allocate(1 + PREFIX_BYTES).put(record).putLong(id.value()).array();
  }

  static PartitionId partition(byte[] key, int offset) {
    return new PartitionId(ByteBuffer.wrap(key).getLong(offset));
  }

  static byte[] format(int format) {
    return ByteBuffer.allocate(4).putInt(format).array();
  }

  static int format(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  static byte[] head(Head head) {
    return ByteBuffer.allocate(HEAD_BYTES)
        .put(HEAD_FORMAT)
        .putLong(head.version())
        .putLong(head.lsn())
        .putLong(head.epoch())
        .put((byte) (head.state() == Head.State.OPEN ? 0 : 1))
        .putLong(head.commitTicks())
        .putLong(head.nextDocument())
        .putInt(head.schema())
        .putLong(head.commitId().high())
        .putLong(head.commitId().low())
        .array();
  }

  static Head head(byte[] bytes) {
    if (bytes.length != HEAD_BYTES || bytes[0] != HEAD_FORMAT) {
      throw new StorageFault("Head of a partition has an unknown form; the data is damaged");
    }
    var buffer = ByteBuffer.wrap(bytes, 1, HEAD_BYTES - 1);
    return new Head(
        buffer.getLong(),
        buffer.getLong(),
        buffer.getLong(),
        buffer.get() == 0 ? Head.State.OPEN : Head.State.SEALED,
        buffer.getLong(),
        buffer.getLong(),
        buffer.getInt(),
        new CommitId(buffer.getLong(), buffer.getLong()));
  }

  private static byte[] bigEndian(long value) {
    return ByteBuffer.allocate(PREFIX_BYTES).putLong(value).array();
  }
}
