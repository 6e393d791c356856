package io.orrery.hbase;

import io.orrery.storage.CommitId;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of rows, marks and outcomes; specified in the package's description. */
final class Layout {
  static final int FORMAT = 1;
  static final int PREFIX_BYTES = 8;
  static final int OUTCOMES_KEPT = 4096;

  static final byte[] FAMILY = {'d'};
  static final byte[] MARK = {'h'};
  static final byte[] VALUE = {'v'};
  static final byte[] ACCOUNT = {'a'};

  static final byte[] LOADED = {};
  static final byte[] DROPPED = {'d'};
  static final byte[] FREED = {'f'};

  /** Not the bytes of any mark: what depends on it never happens. */
  static final byte[] NEVER = {'n'};

  static final long LOAD_TIME = 0;
  static final long DROP_TIME = Long.MAX_VALUE - 1;
  static final long FREE_TIME = DROP_TIME - 1;

  private static final byte HEAD_KIND = 0;
  private static final byte ENTRY_KIND = 1;
  private static final byte TAIL_KIND = 2;
  private static final byte ACCOUNT_KIND = 3;
  private static final byte OUTCOME = 'c';
  private static final int OUTCOME_BYTES = 3 * 8;
  private static final byte HEAD_FORM = 1;
  private static final int HEAD_BYTES = 1 + 3 * 8 + 1 + 2 * 8 + 4 + 2 * 8;

  private Layout() {}

  /** Behind all partitions: none will ever have this id. */
  static byte[] accountRow() {
    return row(new PartitionId(Long.MAX_VALUE), ACCOUNT_KIND, new byte[0]);
  }

  static byte[] headRow(PartitionId id) {
    return row(id, HEAD_KIND, new byte[0]);
  }

  static byte[] tailRow(PartitionId id) {
    return row(id, TAIL_KIND, new byte[0]);
  }

  static byte[] entryRow(PartitionId id, byte[] key) {
    return row(id, ENTRY_KIND, key);
  }

  static byte[] keyOf(byte[] entryRow) {
    return Arrays.copyOfRange(entryRow, PREFIX_BYTES + 1, entryRow.length);
  }

  static PartitionId partitionOf(byte[] row) {
    return new PartitionId(ByteBuffer.wrap(row).getLong());
  }

  private static byte[] row(PartitionId id, byte kind, byte[] key) {
    return ByteBuffer.allocate(PREFIX_BYTES + 1 + key.length)
        .putLong(id.value())
        .put(kind)
        .put(key)
        .array();
  }

  /** The column that keeps which commit made this version, until 4096 more have followed. */
  static byte[] outcomeColumn(long version) {
    return ByteBuffer.allocate(3)
        .put(OUTCOME)
        .putShort((short) Math.floorMod(version, OUTCOMES_KEPT))
        .array();
  }

  static byte[] outcome(Head head) {
    return ByteBuffer.allocate(OUTCOME_BYTES)
        .putLong(head.version())
        .putLong(head.commitId().high())
        .putLong(head.commitId().low())
        .array();
  }

  /** The version that an outcome speaks of. */
  static long versionOf(byte[] outcome) {
    return ByteBuffer.wrap(outcome).getLong();
  }

  static byte[] head(Head head) {
    return ByteBuffer.allocate(HEAD_BYTES)
        .put(HEAD_FORM)
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

  static Mark mark(byte @Nullable [] bytes) {
    if (bytes == null) {
      return new Mark.Absent();
    }
    if (bytes.length == 0) {
      return new Mark.Loaded();
    }
    if (Arrays.equals(bytes, DROPPED) || Arrays.equals(bytes, FREED)) {
      return new Mark.Dropped(bytes[0] == FREED[0]);
    }
    if (bytes.length != HEAD_BYTES || bytes[0] != HEAD_FORM) {
      throw new StorageFault("Head of a partition has an unknown form; the data is damaged");
    }
    var buffer = ByteBuffer.wrap(bytes, 1, HEAD_BYTES - 1);
    return new Mark.Live(
        new Head(
            buffer.getLong(),
            buffer.getLong(),
            buffer.getLong(),
            buffer.get() == 0 ? Head.State.OPEN : Head.State.SEALED,
            buffer.getLong(),
            buffer.getLong(),
            buffer.getInt(),
            new CommitId(buffer.getLong(), buffer.getLong())));
  }
}
