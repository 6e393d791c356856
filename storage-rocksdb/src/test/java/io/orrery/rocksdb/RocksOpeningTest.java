package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.RocksConfig.Durability;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** What an opening finds, mends and refuses. */
class RocksOpeningTest {
  private static final PartitionId ID = new PartitionId(7);

  @TempDir Path home;

  @Test
  void directoryInUseIsRefusedByName() {
    var config = RocksConfig.in(home);
    try (var first = RocksStorage.open(config)) {
      var fault = assertThrows(StorageFault.class, () -> RocksStorage.open(config));
      assertEquals("Data directory is in use by another process: " + home, fault.getMessage());
      committed(first.open(ID), null, put("a", "1"));
    }
  }

  @Test
  void newerFormatIsRefused() throws RocksDBException {
    var config = RocksConfig.in(home);
    RocksStorage.open(config).close();
    try (var instance = Instance.open(config, false)) {
      instance.db.put(instance.meta, Layout.FORMAT_KEY, Layout.format(2));
    }
    var fault = assertThrows(StorageFault.class, () -> RocksStorage.open(config));
    assertEquals(
        "Data directory has format 2, this version reads up to 1; use a newer version",
        fault.getMessage());
  }

  @Test
  void uncleanStopWithoutSyncRaisesEveryLsnAndDocumentNumber() throws IOException {
    var unsynced = RocksConfig.in(home.resolve("first")).withDurability(Durability.OS);
    Head head;
    var copy = RocksConfig.in(home.resolve("copy")).withDurability(Durability.OS);
    try (var storage = RocksStorage.open(unsynced)) {
      head = committed(storage.open(ID), null, put("a", "1"));
      storage.open(new PartitionId(8)).load(List.of(entry()).iterator());
      copy(unsynced.directory(), copy.directory()); // what a kill would leave behind
    }
    assertEquals(head, headIn(unsynced));
    var raised = headIn(copy);
    assertEquals(head.lsn() + (1 << 20), raised.lsn());
    assertTrue(raised.nextDocument() >= head.nextDocument() + (1 << 20), raised.toString());
    assertEquals(head.version() + 1, raised.version());
    assertTrue(raised.commitTicks() > head.commitTicks());
    assertEquals(raised, headIn(copy));
    assertEquals(raised, headIn(copy.withDurability(Durability.SYNC)));
  }

  private static Entry entry() {
    return new Entry(bytes("a"), bytes("1"));
  }

  private static Head headIn(RocksConfig config) {
    try (var storage = RocksStorage.open(config)) {
      var read = storage.open(ID).get(bytes("a"));
      assertEquals("1", text(read.value()));
      return Objects.requireNonNull(read.head());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void statisticsTellWhatIsAsked() {
    var counted = RocksConfig.in(home).withCacheCounted().withBlockCacheBytes(8 << 20);
    try (var storage = RocksStorage.open(counted)) {
      committed(storage.open(ID), null, put("a", "1"));
    }
    try (var storage = RocksStorage.open(counted)) {
      storage.open(ID).get(bytes("a"));
      storage.open(ID).get(bytes("a"));
      var statistics = storage.statistics();
      assertTrue(statistics.diskBytes() > 0);
      assertTrue(statistics.cacheHits() > 0);
      assertTrue(statistics.cacheMisses() > 0);
    }
  }

  @Test
  void checkpointIsAStorageOfItsOwn() {
    var target = home.resolve("backup");
    Head head;
    try (var storage = RocksStorage.open(RocksConfig.in(home.resolve("data")))) {
      head = committed(storage.open(ID), null, put("a", "1"));
      storage.checkpoint(target);
      committed(storage.open(ID), head, put("a", "2"));
    }
    assertEquals(head, headIn(RocksConfig.in(target)));
  }

  @Test
  void droppedEntriesAreFreedOnceTheLastSnapshotIsClosed() throws RocksDBException {
    var config = RocksConfig.in(home);
    try (var storage = RocksStorage.open(config)) {
      var store = storage.open(ID);
      committed(store, null, put("a", "1", "b", "2"));
      try (var snapshot = store.snapshot()) {
        storage.drop(ID);
        assertEquals(2, entriesOnDisk(storage));
        assertEquals("1", text(snapshot.get(bytes("a")).value()));
      }
      FilesBehindTheLogTest.awaitFreed(storage);
      assertEquals(0, entriesOnDisk(storage));
    }
  }

  @Test
  void freeingIsResumedAfterAnOpening() {
    var config = RocksConfig.in(home);
    try (var storage = RocksStorage.open(config)) {
      var store = storage.open(ID);
      committed(store, null, put("a", "1", "b", "2"));
      store.snapshot(); // never closed
      storage.drop(ID);
      assertEquals(2, entriesOnDisk(storage));
    }
    try (var storage = RocksStorage.open(config)) {
      FilesBehindTheLogTest.awaitFreed(storage);
      assertEquals(0, entriesOnDisk(storage));
    }
  }

  private static int entriesOnDisk(RocksStorage storage) {
    int[] entries = {0};
    storage
        .committer()
        .alone(
            instance -> {
              try (var iterator = instance.db.newIterator(instance.data)) {
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                  entries[0]++;
                }
              }
            });
    return entries[0];
  }
}
