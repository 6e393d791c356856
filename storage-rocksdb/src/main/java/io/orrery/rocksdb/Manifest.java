package io.orrery.rocksdb;

import io.orrery.rocksdb.LogFragments.Fragment;
import io.orrery.rocksdb.LogFragments.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * RocksDB's list of its files, read without RocksDB: it refuses a record that a power loss has left
 * unfinished, and with some damaged lengths its opening never ends. The form is that of the log.
 */
final class Manifest {
  private static final int SECTOR_BYTES = 512;
  private static final int ZEROS_LEAST = 32;

  private final ByteBuffer bytes;
  private final LogFragments fragments = new LogFragments();

  Manifest(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Where the first record begins that cannot be read; the size when all can. */
  int firstBroken() {
    int at = 0;
    int record = -1;
    while (at < bytes.limit()) {
      Fragment fragment = at(at);
      if (LogFragments.isNone(fragment)) {
        int padding = padding(at);
        if (padding == 0) {
          return record < 0 ? at : record;
        }
        at += padding;
        continue;
      }
      boolean begins = fragment.kind() == Kind.FIRST || fragment.kind() == Kind.FULL;
      boolean fits = begins == record < 0 || fragment.kind() == Kind.NOTE;
      if (!fits) {
        return record < 0 ? at : record;
      }
      if (fragment.kind() == Kind.FIRST) {
        record = at;
      } else if (fragment.kind() == Kind.LAST) {
        record = -1;
      }
      at += fragment.sizeBytes();
    }
    return record < 0 ? at : record;
  }

  /**
   * Whether a write that was never finished explains why nothing can be read from a place on: it is
   * shorter than it says, or sectors of it have never been written. Whole pieces after it, or bytes
   * that were changed, mean damage.
   */
  boolean isUnfinishedFrom(int broken) {
    for (int at = broken + 1; at < bytes.limit(); at++) {
      if (!LogFragments.isNone(at(at))) {
        return false;
      }
    }
    return isShort(broken) || isZero(broken, bytes.limit()) || hasEmptySector(broken);
  }

  private Fragment at(int at) {
    int block = at / LogFragments.BLOCK_BYTES * LogFragments.BLOCK_BYTES;
    int end = Math.min(bytes.limit(), block + LogFragments.BLOCK_BYTES);
    return at + LogFragments.HEADER_BYTES > end
        ? LogFragments.none()
        : fragments.at(bytes.slice(block, end - block).order(ByteOrder.LITTLE_ENDIAN), at - block);
  }

  /** The rest of a block that is too short for a piece. */
  private int padding(int at) {
    int left = LogFragments.BLOCK_BYTES - at % LogFragments.BLOCK_BYTES;
    return left < LogFragments.HEADER_BYTES && at + left <= bytes.limit() ? left : 0;
  }

  /** Unless its length is all that is wrong. */
  private boolean isShort(int broken) {
    int left = bytes.limit() - broken;
    return left < LogFragments.HEADER_BYTES
        || (broken + LogFragments.sizeAt(bytes, broken) > bytes.limit()
            && !fragments.isWholeTo(bytes, broken, bytes.limit()));
  }

  private boolean hasEmptySector(int broken) {
    for (int from = broken; from < bytes.limit(); ) {
      int to = Math.min(bytes.limit(), (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (to - from >= ZEROS_LEAST && isZero(from, to)) {
        return true;
      }
      from = to;
    }
    return false;
  }

  private boolean isZero(int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes.get(at) != 0) {
        return false;
      }
    }
    return true;
  }
}
