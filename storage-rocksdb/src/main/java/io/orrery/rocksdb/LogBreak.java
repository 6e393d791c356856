package io.orrery.rocksdb;

import java.nio.file.Path;

/**
 * The place from which on the logs cannot be read, and what lies behind it.
 *
 * @param file the log
 * @param offset of the first record that cannot be read
 * @param sequence of that record, RocksDB's number; negative when nothing readable lies before it
 * @param bytes from the place to the end of the last log
 * @param recordsBehind later records that are whole
 */
record LogBreak(Path file, long offset, long sequence, long bytes, long recordsBehind) {

  /** Whether the end of a write that was never finished explains it. */
  boolean isTornTail() {
    return recordsBehind == 0;
  }

  /** The place in words for operators. */
  String place() {
    return file.getFileName() + " at offset " + offset + (sequence < 0 ? "" : name(sequence));
  }

  private static String name(long sequence) {
    return ", sequence " + sequence;
  }
}
