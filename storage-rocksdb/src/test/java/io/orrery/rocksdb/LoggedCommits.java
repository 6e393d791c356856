package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.orrery.storage.Batch;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Commits of one partition that are acknowledged and stand in the log alone, as after a kill. */
final class LoggedCommits {
  static final PartitionId ID = new PartitionId(7);

  final List<Head> heads = new ArrayList<>();

  /** Where the record of each commit ends. */
  final List<Long> ends = new ArrayList<>();

  /** Where the first one begins, behind what an opening writes. */
  private long start;

  private final RocksConfig config;
  private final Path copy;

  private LoggedCommits(RocksConfig config, Path copy) {
    this.config = config;
    this.copy = copy;
  }

  /**
   * @param copy is given the files as they are before the storage is closed
   */
  static LoggedCommits make(RocksConfig config, Path copy, int[] valueBytes, Random random) {
    var made = new LoggedCommits(config, copy);
    try (var storage = RocksStorage.open(config)) {
      made.start = size(last(config.directory()));
      Head head = null;
      for (int i = 0; i < valueBytes.length; i++) {
        head = made.commit(storage, head, i, valueBytes[i], random);
      }
      made.copy();
    }
    return made;
  }

  private Head commit(
      RocksStorage storage, @Nullable Head head, int number, int valueBytes, Random random) {
    var value = new byte[valueBytes];
    random.nextBytes(value);
    var batch = new Batch().put(bytes("last"), bytes(Integer.toString(number)));
    batch.put(bytes("item" + number), value);
    var next = committed(storage.open(ID), head, batch);
    heads.add(next);
    ends.add(size(last(config.directory())));
    return next;
  }

  private void copy() {
    copy(config.directory(), copy);
  }

  static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to);
      try (var files = Files.list(from)) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The log of the copy that has the commits. */
  Path log() {
    return last(copy);
  }

  static Path last(Path directory) {
    return logs(directory).getLast();
  }

  static List<Path> logs(Path directory) {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".log"))
          .sorted(Comparator.comparingLong(LogWalk::number))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the record of a commit begins: not where a block has no room for its header. */
  long beginOf(int commit) {
    long before = commit == 0 ? start : ends.get(commit - 1);
    long left = LogFragments.BLOCK_BYTES - before % LogFragments.BLOCK_BYTES;
    return left < LogFragments.HEADER_BYTES ? before + left : before;
  }

  /** The commit to whose record a byte belongs; negative for one between two blocks. */
  int commitAt(long offset) {
    int commit = 0;
    while (ends.get(commit) <= offset) {
      commit++;
    }
    return offset < beginOf(commit) ? -1 : commit;
  }

  /** Opens a directory that must have so many commits, the LSN raised or not. */
  void check(RocksConfig damaged, int commits, boolean raised) {
    try (var storage = RocksStorage.open(damaged)) {
      var last = storage.open(ID).get(bytes("last"));
      if (commits == 0) {
        assertNull(last.head());
        return;
      }
      assertEquals(Integer.toString(commits - 1), text(last.value()));
      var head = last.head();
      long lsn = heads.get(commits - 1).lsn() + (raised ? 1 << 20 : 0);
      assertEquals(lsn, head == null ? -1 : head.lsn());
      assertNull(storage.open(ID).get(bytes("item" + commits)).value());
    }
  }
}
