package io.orrery.rocksdb;

import io.orrery.storage.Batch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Changes in the form of RocksDB's write-ahead log, written by the caller's own thread: the
 * committer joins the batches of a group by copying bytes and crosses into native code once, not
 * once per entry.
 *
 * <p>The form is public and stable (write_batch.cc in RocksDB): a header of an 8-byte sequence
 * number and a 4-byte count, little endian, then records of a type, the column family's id unless
 * it is the default one, and length-prefixed key and value.
 */
final class RocksBatch {
  private static final int HEADER_BYTES = 12;
  private static final byte DELETE = 0x0;
  private static final byte PUT = 0x1;
  private static final byte FAMILY_DELETE = 0x4;
  private static final byte FAMILY_PUT = 0x5;
  private static final byte DELETE_RANGE = 0xF;
  private static final int RECORD_OVERHEAD_BYTES = 1 + 5 + 5 + 5;

  private byte[] bytes;
  private int size;
  private int count;

  RocksBatch(int expectedBytes) {
    bytes = new byte[expectedBytes];
  }

  /** The entries of one partition's batch. */
  static RocksBatch of(byte[] prefix, Batch batch) {
    long most = (long) batch.entries() * (RECORD_OVERHEAD_BYTES + prefix.length);
    var encoded = new RocksBatch((int) (most + batch.sizeBytes()) + 128);
    for (var change : batch.changes().entrySet()) {
      byte[] value = change.getValue();
      encoded.key(value == null ? DELETE : PUT, prefix, change.getKey());
      if (value != null) {
        encoded.sized(value);
      }
    }
    return encoded;
  }

  RocksBatch put(int family, byte[] key, byte[] value) {
    room(RECORD_OVERHEAD_BYTES + key.length + value.length);
    family(FAMILY_PUT, family);
    sized(key);
    sized(value);
    return this;
  }

  RocksBatch delete(int family, byte[] key) {
    room(RECORD_OVERHEAD_BYTES + key.length);
    family(FAMILY_DELETE, family);
    sized(key);
    return this;
  }

  /** Deletes from the default column family. */
  RocksBatch deleteRange(byte[] from, byte[] to) {
    room(RECORD_OVERHEAD_BYTES + from.length + to.length);
    bytes[size++] = DELETE_RANGE;
    count++;
    sized(from);
    sized(to);
    return this;
  }

  int sizeBytes() {
    return size;
  }

  /** All of these as one atomic batch. */
  static byte[] join(List<RocksBatch> batches, LogSeal seal) {
    int length = HEADER_BYTES + LogSeal.BYTES;
    int records = 0;
    for (var batch : batches) {
      length = Math.addExact(length, batch.size);
      records += batch.count;
    }
    var joined = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    joined.putLong(0).putInt(records); // RocksDB fills in the sequence number
    for (var batch : batches) {
      joined.put(batch.bytes, 0, batch.size);
    }
    return joined.put(seal.end()).array();
  }

  private void family(byte type, int family) {
    bytes[size++] = type;
    count++;
    length(family);
  }

  private void key(byte type, byte[] prefix, byte[] key) {
    bytes[size++] = type;
    count++;
    length(prefix.length + key.length);
    raw(prefix);
    raw(key);
  }

  private void sized(byte[] part) {
    length(part.length);
    raw(part);
  }

  private void length(int value) {
    int rest = value;
    while (rest >= 0x80) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void raw(byte[] part) {
    System.arraycopy(part, 0, bytes, size, part.length);
    size += part.length;
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
