package io.orrery.rocksdb;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of which RocksDB's log is made, read from one block. The form is public and stable
 * (log_format.h in RocksDB): a checksum of 4 bytes over all that follows the length, a length of 2
 * bytes, little endian, a type, then the content. No piece crosses the end of a block.
 */
final class LogFragments {
  static final int BLOCK_BYTES = 32 << 10;
  static final int HEADER_BYTES = 7;
  private static final int LENGTH_AT = 4;
  private static final int TYPE_AT = 6;
  private static final int MASK_DELTA = 0xa282ead8;

  private final CRC32C checksum = new CRC32C();

  /** What a piece is of a record. */
  enum Kind {
    FULL,
    FIRST,
    MIDDLE,
    LAST,
    /** Says how the log is written, and holds no data. */
    NOTE
  }

  /**
   * A piece whose checksum holds.
   *
   * @param contentBytes its content, at the end of the piece
   */
  record Fragment(Kind kind, int sizeBytes, int contentBytes) {}

  private static final Fragment NONE = new Fragment(Kind.NOTE, 0, 0);

  static boolean isNone(Fragment fragment) {
    return fragment.sizeBytes == 0;
  }

  static Fragment none() {
    return NONE;
  }

  /** The size of a piece as it says itself. */
  static int sizeAt(ByteBuffer bytes, int at) {
    return HEADER_BYTES + (bytes.getShort(at + LENGTH_AT) & 0xffff);
  }

  /** Whether the checksum of a piece holds when it ends at a place, whatever its length says. */
  boolean isWholeTo(ByteBuffer bytes, int at, int end) {
    return bytes.getInt(at) == maskedChecksum(bytes, at + TYPE_AT, end);
  }

  /** The piece at a place, or one of size 0 when there is none. */
  Fragment at(ByteBuffer block, int at) {
    int type = block.get(at + TYPE_AT) & 0xff;
    int content = block.getShort(at + LENGTH_AT) & 0xffff;
    int end = at + HEADER_BYTES + content;
    var kind = kind(type);
    boolean holds =
        kind != null
            && end <= block.limit()
            && block.getInt(at) == maskedChecksum(block, at + TYPE_AT, end);
    return kind == null || !holds ? NONE : new Fragment(kind, end - at, content);
  }

  /** Those of recycled files are not among them: no log is written twice here. */
  private static @Nullable Kind kind(int type) {
    return switch (type) {
      case 1 -> Kind.FULL;
      case 2 -> Kind.FIRST;
      case 3 -> Kind.MIDDLE;
      case 4 -> Kind.LAST;
      case 9, 10, 130 -> Kind.NOTE;
      default -> null;
    };
  }

  private int maskedChecksum(ByteBuffer block, int from, int to) {
    checksum.reset();
    checksum.update(block.slice(from, to - from));
    return Integer.rotateRight((int) checksum.getValue(), 15) + MASK_DELTA;
  }
}
