package io.orrery.rocksdb;

import io.orrery.rocksdb.LogFragments.Fragment;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the write-ahead logs without RocksDB, whose recovery cannot tell a write that was never
 * finished from a damaged one: the committer syncs each write before the next begins, so a whole
 * record behind one that cannot be read proves that an acknowledged write is damaged. Pieces of a
 * record prove nothing: they may be those of the write that was not finished. Nor does what only
 * looks like a record: clients can store that. A record that proves anything is sealed.
 */
final class LogWalk {
  private static final int BATCH_HEADER_BYTES = 12;
  private static final long UNKNOWN = -1;

  private final LogFragments fragments = new LogFragments();

  /** The beginning of the record whose pieces are read at present. */
  private final ByteBuffer begin =
      ByteBuffer.allocate(BATCH_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** The end of that record, as far as it is read. */
  private final byte[] last = new byte[LogSeal.BYTES];

  private final @Nullable LogSeal seal;
  private boolean inRecord;
  private long recordOffset;

  /** The sequence number of the next record; unknown before the first. */
  private long next = UNKNOWN;

  private int file;
  private int brokenFile = -1;
  private long brokenOffset;
  private long recordsBehind;

  private LogWalk(@Nullable LogSeal seal) {
    this.seal = seal;
  }

  /**
   * Reads logs in the order of their numbers.
   *
   * @param seal what proves that a record is one of ours; null where records have none
   * @return null when all logs can be read to the end
   */
  static @Nullable LogBreak over(List<Path> logs, @Nullable LogSeal seal) throws IOException {
    var walk = new LogWalk(seal);
    for (walk.file = 0; walk.file < logs.size(); walk.file++) {
      walk.read(logs.get(walk.file));
    }
    if (walk.brokenFile < 0) {
      return null;
    }
    long bytes = -walk.brokenOffset;
    for (var log : logs.subList(walk.brokenFile, logs.size())) {
      bytes += Files.size(log);
    }
    return new LogBreak(
        logs.get(walk.brokenFile), walk.brokenOffset, walk.next, bytes, walk.recordsBehind);
  }

  /** The number of a log, from its name. */
  static long number(Path log) {
    return Long.parseLong(log.getFileName().toString().replace(".log", ""));
  }

  private void read(Path log) throws IOException {
    try (var channel = FileChannel.open(log);
        var arena = Arena.ofConfined()) {
      long size = channel.size();
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      for (long at = 0; at < size; at += LogFragments.BLOCK_BYTES) {
        var block = all.asSlice(at, Math.min(LogFragments.BLOCK_BYTES, size - at)).asByteBuffer();
        read(block.order(ByteOrder.LITTLE_ENDIAN), at);
      }
      if (inRecord) {
        breakAt(recordOffset);
      }
    } catch (NoSuchFileException e) {
      // A process that has the database open removes logs; RocksDB refuses the second one.
    }
  }

  private void read(ByteBuffer block, long offset) {
    int at = 0;
    while (at + LogFragments.HEADER_BYTES <= block.limit()) {
      Fragment fragment = fragments.at(block, at);
      if (LogFragments.isNone(fragment)) {
        breakAt(offset + at);
        at++; // the length may be what is damaged: the next piece can begin anywhere
      } else {
        at += fragment.sizeBytes();
        take(
            fragment,
            block.slice(at - fragment.contentBytes(), fragment.contentBytes()),
            offset + at - fragment.sizeBytes());
      }
    }
    boolean isPadding = block.limit() == LogFragments.BLOCK_BYTES;
    if (at < block.limit() && !isPadding) {
      breakAt(offset + at);
    }
  }

  private void take(Fragment fragment, ByteBuffer content, long offset) {
    switch (fragment.kind()) {
      case FULL -> {
        begin(content, offset);
        end();
      }
      case FIRST -> begin(content, offset);
      case MIDDLE -> goOn(content, offset);
      case LAST -> {
        goOn(content, offset);
        end();
      }
      case NOTE -> {}
    }
  }

  private void begin(ByteBuffer content, long offset) {
    if (inRecord) {
      breakAt(recordOffset);
    }
    inRecord = true;
    recordOffset = offset;
    begin.clear();
    keep(content);
  }

  private void goOn(ByteBuffer content, long offset) {
    if (inRecord) {
      keep(content);
    } else {
      breakAt(offset);
    }
  }

  private void keep(ByteBuffer content) {
    int size = content.limit();
    int more = Math.min(size, last.length);
    System.arraycopy(last, more, last, 0, last.length - more);
    content.get(size - more, last, last.length - more, more);
    begin.put(content.limit(Math.min(content.limit(), begin.remaining())));
  }

  private void end() {
    if (!inRecord) {
      return;
    }
    if (begin.hasRemaining()) {
      breakAt(recordOffset);
      return;
    }
    inRecord = false;
    long sequence = begin.getLong(0);
    long after = sequence + (begin.getInt(8) & 0xffffffffL);
    if (brokenFile < 0) {
      if (sequence < next) {
        breakAt(recordOffset);
      } else {
        next = after;
      }
    } else if ((next == UNKNOWN || sequence > next) && (seal == null || seal.isOn(last))) {
      recordsBehind++;
    }
  }

  /** Only the first one counts; in it stands the record that cannot be read as a whole. */
  private void breakAt(long offset) {
    if (brokenFile < 0) {
      brokenFile = file;
      brokenOffset = inRecord ? recordOffset : offset;
    }
    inRecord = false;
  }
}
