package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.RocksConfig.Durability;
import io.orrery.storage.Batch;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** Two logs of which the first is damaged in the middle: nothing behind the damage comes back. */
class LogCutTest {
  private static final long RISE = 1 << 20;

  @TempDir Path home;

  @SuppressWarnings("NullAway.Init")
  private Head second;

  private int images;

  private void make(Durability durability) throws IOException {
    RocksConfig config = RocksConfig.in(home.resolve("made")).withDurability(durability);
    long damage;
    try (var storage = RocksStorage.open(config)) {
      Head head = committed(storage.open(LoggedCommits.ID), null, put("a", "1"));
      second = committed(storage.open(LoggedCommits.ID), head, put("a", "2"));
      damage = LoggedCommits.size(LoggedCommits.last(config.directory())) + 20;
      // What a flush of one family leaves behind is a second log, and the first is still needed.
      committed(storage.open(new PartitionId(8)), null, put("a", "1"));
      storage.open(new PartitionId(8)).snapshot(); // never closed: freeing would begin another log
      storage.drop(new PartitionId(8));
      head = committed(storage.open(LoggedCommits.ID), second, put("a", "3"));
      storage.committer().alone(LogCutTest::beginAnotherLog);
      head = committed(storage.open(LoggedCommits.ID), head, put("a", "4"));
      committed(storage.open(LoggedCommits.ID), head, put("b", "5"));
      copy(config.directory(), home.resolve("kept"));
    }
    List<Path> logs = LoggedCommits.logs(home.resolve("kept"));
    assertEquals(2, logs.size());
    try (var log = new RandomAccessFile(logs.getFirst().toFile(), "rw")) {
      log.seek(damage);
      log.write(new byte[8]);
    }
  }

  private static void beginAnotherLog(Instance instance) throws RocksDBException {
    try (var wait = new FlushOptions().setWaitForFlush(true)) {
      instance.db.flush(wait, instance.meta);
    }
  }

  private RocksConfig kept(Durability durability) {
    return image(home.resolve("kept")).withDurability(durability);
  }

  /** A copy of a directory as it is now. */
  private RocksConfig image(Path directory) {
    Path copy = home.resolve("image" + images++);
    copy(directory, copy);
    return RocksConfig.in(copy);
  }

  private static void copy(Path from, Path to) {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything up to the damage, nothing behind it, and LSNs above all that were lost. */
  private void check(RocksConfig config) {
    try (var storage = RocksStorage.open(config)) {
      var read = storage.open(LoggedCommits.ID).get(bytes("a"));
      assertEquals("2", text(read.value()));
      long lsn = Objects.requireNonNull(read.head()).lsn();
      assertTrue(lsn >= second.lsn() + RISE, () -> "LSN " + lsn);
      assertNull(storage.open(LoggedCommits.ID).get(bytes("b")).value());
      assertTrue(storage.list().size() == 1, "the other partition was behind the damage");
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void logsBehindTheDamageAreNotReplayed(Durability durability) throws IOException {
    make(durability);
    RocksConfig config = kept(durability);
    check(config.withDataLossAccepted());
    check(config);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void crashAfterAnyStepLeadsToTheSameEnd(Durability durability) throws IOException {
    make(durability);
    RocksConfig config = kept(durability).withDataLossAccepted();
    List<RocksConfig> crashed = new ArrayList<>();
    RocksStorage.open(
            config,
            (instance, options, batch) -> instance.db.write(options, batch),
            () -> crashed.add(image(config.directory()).withDurability(durability)))
        .close();
    assertTrue(crashed.size() >= 5, "looked at " + crashed.size());
    int refused = 0;
    for (RocksConfig image : crashed) {
      RocksConfig again = image(image.directory()).withDurability(durability);
      try {
        check(again);
      } catch (StorageFault e) {
        // Not cut yet, and this start does not accept the loss.
        assertTrue(String.valueOf(e.getMessage()).contains("The log is damaged"), e.getMessage());
        refused++;
      }
      check(image.withDataLossAccepted());
    }
    assertTrue(durability == Durability.SYNC ? refused > 0 : refused == 0, refused + " refused");
    if (durability == Durability.SYNC) {
      assertEquals(2, LoggedCommits.logs(LogRecovery.damaged(config.directory())).size());
    }
  }

  @Test
  void cutThatFailedDoesNotAcceptTheLossNextTime() throws IOException {
    make(Durability.SYNC);
    RocksConfig config = kept(Durability.SYNC);
    var steps = new ArrayList<Integer>();
    Runnable fails =
        () -> {
          steps.add(1);
          if (steps.size() == 3) {
            throw new StorageFault("No space left on device");
          }
        };
    assertThrows(
        StorageFault.class,
        () ->
            RocksStorage.open(
                config.withDataLossAccepted(),
                (instance, options, batch) -> instance.db.write(options, batch),
                fails));
    var refused = assertThrows(StorageFault.class, () -> RocksStorage.open(config));
    assertTrue(String.valueOf(refused.getMessage()).contains("The log is damaged"));
    check(config.withDataLossAccepted());
  }

  @Test
  void missingLogIsRefused() throws IOException {
    make(Durability.SYNC);
    RocksConfig config = kept(Durability.SYNC);
    Path first = LoggedCommits.logs(config.directory()).getFirst();
    Files.delete(first);
    var refused = assertThrows(StorageFault.class, () -> RocksStorage.open(config));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("The log is damaged: " + first.getFileName()), message);
    try (var storage = RocksStorage.open(config.withDataLossAccepted())) {
      assertTrue(storage.list().isEmpty(), "later logs are not replayed without it");
    }
  }

  /** Whoever may write may write this: it must not make a torn log look like a damaged one. */
  @Test
  void storedBytesThatLookLikeARecordProveNothing() throws IOException {
    RocksConfig config = RocksConfig.in(home.resolve("made"));
    Head head;
    long begin;
    try (var storage = RocksStorage.open(config)) {
      head = committed(storage.open(LoggedCommits.ID), null, put("a", "1"));
      begin = LoggedCommits.size(LoggedCommits.last(config.directory()));
      var crafted = new Batch().put(bytes("a"), record(1L << 40)).put(bytes("b"), new byte[500]);
      committed(storage.open(LoggedCommits.ID), head, crafted);
      copy(config.directory(), home.resolve("kept"));
    }
    RocksConfig torn = kept(Durability.SYNC);
    try (var log = new RandomAccessFile(LoggedCommits.last(torn.directory()).toFile(), "rw")) {
      assertTrue(log.length() > begin + 400);
      log.setLength(log.length() - 100);
    }
    try (var storage = RocksStorage.open(torn)) {
      var read = storage.open(LoggedCommits.ID).get(bytes("a"));
      assertEquals("1", text(read.value()));
      assertEquals(head.lsn() + RISE, Objects.requireNonNull(read.head()).lsn());
    }
  }

  /** A whole piece of RocksDB's log with a batch that puts one key. */
  private static byte[] record(long sequence) {
    var piece = ByteBuffer.allocate(7 + 12 + 5).order(ByteOrder.LITTLE_ENDIAN);
    piece.position(6).put((byte) 1).putLong(sequence).putInt(1);
    piece.put(new byte[] {1, 1, 'k', 1, 'v'});
    var checksum = new CRC32C();
    checksum.update(piece.array(), 6, piece.capacity() - 6);
    piece.putInt(0, Integer.rotateRight((int) checksum.getValue(), 15) + 0xa282ead8);
    piece.putShort(4, (short) (12 + 5));
    return piece.array();
  }
}
