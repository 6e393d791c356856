package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.RocksConfig.Durability;
import io.orrery.storage.Given;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** Logs that were cut, flipped or overwritten while the process was away. */
class LogRecoveryTest {
  private static final int COMMITS = 300;

  @TempDir Path home;

  private int damages;

  private LoggedCommits commits(RocksConfig config, int commits, int valueBytes) {
    var sizes = new int[commits];
    Arrays.fill(sizes, valueBytes);
    return LoggedCommits.make(config, home.resolve("kept"), sizes, new Random(commits));
  }

  private LoggedCommits commits(int commits) {
    return commits(RocksConfig.in(home.resolve("first")), commits, 100);
  }

  /** A damage to the log. */
  private interface Damage {
    void to(RandomAccessFile log) throws IOException;
  }

  /** Another copy of what was kept, with one log damaged. */
  private RocksConfig damaged(Path log, Damage damage) throws IOException {
    var directory = home.resolve("damaged" + damages++);
    LoggedCommits.copy(home.resolve("kept"), directory);
    try (var file = new RandomAccessFile(directory.resolve(log.getFileName()).toFile(), "rw")) {
      damage.to(file);
    }
    return RocksConfig.in(directory);
  }

  private static Damage flip(long offset, int bit) {
    return file -> {
      file.seek(offset);
      int value = file.read();
      file.seek(offset);
      file.write(value ^ (1 << bit));
    };
  }

  @Test
  void flippedBitBeforeAcknowledgedWritesRefusesTheStart() throws IOException {
    var made = commits(COMMITS);
    var config = damaged(made.log(), flip(made.beginOf(150) + 40, 3));
    var fault = assertThrows(StorageFault.class, () -> RocksStorage.open(config));
    var message = String.valueOf(fault.getMessage());
    String place = made.log().getFileName() + " at offset " + made.beginOf(150) + ", sequence ";
    assertTrue(message.contains(place), message);
    assertTrue(message.contains("with 149 more behind them"), message);
    assertTrue(message.contains("--accept-data-loss"), message);
    assertThrows(StorageFault.class, () -> RocksStorage.open(config), "refused again");
  }

  @Test
  void acceptedLossGoesOnBeforeTheDamageWithRaisedLsns() throws IOException {
    var made = commits(COMMITS);
    var config = damaged(made.log(), flip(made.beginOf(150) + 40, 3));
    made.check(config.withDataLossAccepted(), 150, true);
    made.check(config, 150, true);
    var kept = LogRecovery.damaged(config.directory()).resolve(made.log().getFileName());
    assertEquals(made.ends.getLast(), Files.size(kept));
    assertFalse(Files.exists(config.directory().resolve("cut")));
  }

  @Test
  void damagedLengthBeforeWritesInTheLastBlockRefusesTheStart() throws IOException {
    var made = commits(20); // all in one block, where RocksDB takes it for the end
    var config = damaged(made.log(), flip(made.beginOf(10) + 5, 6));
    assertThrows(StorageFault.class, () -> RocksStorage.open(config));
    made.check(config.withDataLossAccepted(), 10, true);
  }

  @Test
  void logCutInItsLastRecordStartsWithoutIt() throws IOException {
    var made = commits(5);
    long whole = made.ends.get(4);
    for (long size = made.beginOf(4); size <= whole; size++) {
      long cut = size;
      var config = damaged(made.log(), log -> log.setLength(cut));
      var found = walk(config);
      boolean torn = size > made.beginOf(4) && size < whole;
      assertEquals(torn, found != null);
      assertTrue(found == null || (found.isTornTail() && found.offset() == made.beginOf(4)));
      if (size % 64 == 0 || size == whole) {
        made.check(config, size == whole ? 5 : 4, torn);
      }
    }
  }

  private static @Nullable LogBreak walk(RocksConfig config) throws IOException {
    return LogWalk.over(LoggedCommits.logs(config.directory()), LogSeal.find(config.directory()));
  }

  @Test
  void lastRecordWithADamagedHeaderIsATornTail() throws IOException {
    var made = commits(5);
    for (int bit = 0; bit < 7 * 8; bit++) {
      var config = damaged(made.log(), flip(made.beginOf(4) + bit / 8, bit % 8));
      var found = Objects.requireNonNull(walk(config));
      assertTrue(found.isTornTail());
      assertEquals(made.beginOf(4), found.offset());
      if (bit % 20 == 0) {
        made.check(config, 4, true);
      }
    }
  }

  @Test
  void garbageAndZerosBehindTheLastRecordAreDropped() throws IOException {
    var made = commits(5);
    var random = Given.random("garbageAndZerosBehindTheLastRecordAreDropped");
    for (int size : List.of(1, 7, 100_000)) {
      var garbage = new byte[size];
      made.check(damaged(made.log(), append(garbage)), 5, true);
      random.nextBytes(garbage);
      made.check(damaged(made.log(), append(garbage)), 5, true);
    }
  }

  private static Damage append(byte[] bytes) {
    return log -> {
      log.seek(log.length());
      log.write(bytes);
    };
  }

  @Test
  void unsyncedLogIsCutAtTheFirstDamage() throws IOException {
    var unsynced = RocksConfig.in(home.resolve("first")).withDurability(Durability.OS);
    var made = commits(unsynced, COMMITS, 100);
    var config = damaged(made.log(), flip(made.beginOf(150) + 40, 3));
    made.check(config.withDurability(Durability.OS), 150, true);
    var zeros = damaged(made.log(), overwrite(made.beginOf(100) + 40, new byte[4096]));
    made.check(zeros, 100, true); // as it was written, not as it is served now
  }

  private static Damage overwrite(long offset, byte[] bytes) {
    return log -> {
      log.seek(offset);
      log.write(bytes, 0, (int) Math.min(bytes.length, log.length() - offset));
    };
  }

  @Test
  void anyDamageIsFoundInRecordsOfAllSizes() throws IOException {
    var random = Given.random("anyDamageIsFoundInRecordsOfAllSizes");
    var sizes = new int[60];
    for (int i = 0; i < sizes.length; i++) {
      // Some take several blocks, and the smallest let others begin at every place of one.
      sizes[i] = random.nextInt(4) == 0 ? random.nextInt(100_000) : random.nextInt(300);
    }
    var first = RocksConfig.in(home.resolve("first"));
    var made = LoggedCommits.make(first, home.resolve("kept"), sizes, random);
    long size = made.ends.getLast();
    for (int round = 0; round < 300; round++) {
      long offset = random.nextLong(made.beginOf(0), size);
      if (random.nextBoolean()) {
        int commit = made.commitAt(offset);
        expect(made, damaged(made.log(), flip(offset, random.nextInt(8))), commit, commit);
      } else {
        var sector = new byte[512];
        random.nextBytes(sector);
        int from = made.commitAt(offset);
        int to = made.commitAt(Math.min(offset + sector.length, size) - 1);
        if (from >= 0 && to >= 0) {
          expect(made, damaged(made.log(), overwrite(offset, sector)), from, to);
        }
      }
    }
  }

  private static void expect(LoggedCommits made, RocksConfig config, int from, int to)
      throws IOException {
    var found = walk(config);
    if (from < 0) {
      assertNull(found);
      return;
    }
    int last = made.heads.size() - 1;
    assertEquals(made.beginOf(from), found == null ? -1 : found.offset());
    assertEquals(last - to, found == null ? -1 : found.recordsBehind());
  }

  @Test
  void damageInALogBeforeAnotherOneRefusesTheStart() throws IOException {
    Head first;
    Head second;
    try (var storage = RocksStorage.open(RocksConfig.in(home.resolve("first")))) {
      first = committed(storage.open(LoggedCommits.ID), null, put("a", "1"));
      committed(storage.open(new PartitionId(8)), null, put("a", "1"));
      storage.open(new PartitionId(8)).snapshot(); // never closed: freeing would begin another log
      storage.drop(new PartitionId(8));
      storage.committer().alone(LogRecoveryTest::beginAnotherLog);
      second = committed(storage.open(LoggedCommits.ID), first, put("a", "2"));
      LoggedCommits.copy(home.resolve("first"), home.resolve("kept"));
    }
    var logs = LoggedCommits.logs(home.resolve("kept"));
    assertEquals(2, logs.size());
    long size = Files.size(logs.getFirst());
    var cut = damaged(logs.getFirst(), log -> log.setLength(size - 1));
    assertThrows(StorageFault.class, () -> RocksStorage.open(cut));
    assertEquals(first.lsn() + (1 << 20), lsnIn(cut.withDataLossAccepted()));
    assertEquals(first.lsn() + (1 << 20), lsnIn(damaged(logs.getLast(), flip(20, 1))));
    assertEquals(second.lsn(), lsnIn(damaged(logs.getLast(), log -> {})));
  }

  private static long lsnIn(RocksConfig config) {
    try (var storage = RocksStorage.open(config)) {
      return Objects.requireNonNull(storage.open(LoggedCommits.ID).get(bytes("a")).head()).lsn();
    }
  }

  private static void beginAnotherLog(Instance instance) throws RocksDBException {
    try (var wait = new FlushOptions().setWaitForFlush(true)) {
      instance.db.flush(wait, instance.meta);
    }
  }

  @Test
  void damagedLogThatIsInFilesAlreadyIsNoDamage() throws IOException {
    var first = RocksConfig.in(home.resolve("first"));
    var made = commits(first, 50, 100);
    Head head;
    try (var storage = RocksStorage.open(first)) {
      head = committed(storage.open(LoggedCommits.ID), made.heads.getLast(), put("last", "new"));
      LoggedCommits.copy(first.directory(), home.resolve("later"));
    }
    var old = damaged(made.log(), flip(made.beginOf(20) + 40, 3)).directory();
    var log = old.resolve(made.log().getFileName());
    Files.copy(log, home.resolve("later").resolve(log.getFileName()));
    try (var storage = RocksStorage.open(RocksConfig.in(home.resolve("later")))) {
      assertEquals(head, storage.open(LoggedCommits.ID).get(bytes("last")).head());
    }
  }
}
