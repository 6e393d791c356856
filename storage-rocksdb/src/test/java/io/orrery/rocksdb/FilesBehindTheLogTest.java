package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.RocksConfig.Durability;
import io.orrery.storage.Entry;
import io.orrery.storage.PartitionId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Files come and go at once; what that rests on must not be lost with the end of the log. */
@Timeout(120)
class FilesBehindTheLogTest {
  private static final PartitionId CATALOG = new PartitionId(0);
  private static final PartitionId ID = new PartitionId(7);

  @TempDir Path home;

  private RocksConfig config() {
    return RocksConfig.in(home.resolve("data")).withDurability(Durability.OS);
  }

  /** How much of each log there is; a power cut from now on may leave no more. */
  private Map<String, Long> logs() {
    Map<String, Long> sizes = new HashMap<>();
    for (Path log : LoggedCommits.logs(config().directory())) {
      sizes.put(log.getFileName().toString(), LoggedCommits.size(log));
    }
    return sizes;
  }

  /** All files as they are, but no more of the logs than a power cut would have left. */
  private RocksConfig cut(Map<String, Long> logs) throws IOException {
    Path copy = home.resolve("cut");
    LoggedCommits.copy(config().directory(), copy);
    for (Path log : LoggedCommits.logs(copy)) {
      try (var file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(logs.getOrDefault(log.getFileName().toString(), 0L));
      }
    }
    return RocksConfig.in(copy).withDurability(Durability.OS);
  }

  static void awaitFreed(RocksStorage storage) {
    var left = new AtomicLong(1);
    while (left.get() > 0) {
      storage.committer().alone(instance -> left.set(instance.freeing().size()));
    }
  }

  private void inFiles(PartitionId id) {
    try (var storage = RocksStorage.open(config())) {
      committed(storage.open(id), null, put("a", "1", "b", "2"));
    }
  }

  @Test
  void freedPartitionDoesNotComeBackEmptyWhenTheLogLosesItsDrop() throws IOException {
    inFiles(ID);
    RocksConfig left;
    try (var storage = RocksStorage.open(config())) {
      Map<String, Long> logs = logs();
      committed(storage.open(CATALOG), null, put("partition 7", "split"));
      storage.drop(ID);
      awaitFreed(storage);
      left = cut(logs);
    }
    try (var storage = RocksStorage.open(left)) {
      assertNull(storage.open(ID).get(bytes("a")).head(), "it is dropped");
      assertEquals("split", text(storage.open(CATALOG).get(bytes("partition 7")).value()));
    }
  }

  @Test
  void partitionThatIsNotFreedComesBackWhole() throws IOException {
    inFiles(ID);
    RocksConfig left;
    try (var storage = RocksStorage.open(config())) {
      Map<String, Long> logs = logs();
      storage.open(ID).snapshot(); // never closed
      storage.drop(ID);
      left = cut(logs);
    }
    try (var storage = RocksStorage.open(left)) {
      assertEquals("2", text(storage.open(ID).get(bytes("b")).value()));
    }
  }

  @Test
  void whatAnEarlierProcessLeftToFreeIsFreedAtTheStart() throws IOException {
    inFiles(ID);
    try (var storage = RocksStorage.open(config())) {
      storage.open(ID).snapshot(); // never closed
      storage.drop(ID);
    }
    RocksConfig left;
    try (var storage = RocksStorage.open(config())) {
      Map<String, Long> logs = logs();
      awaitFreed(storage);
      left = cut(logs);
    }
    try (var storage = RocksStorage.open(left)) {
      assertNull(storage.open(ID).get(bytes("a")).head());
      awaitFreed(storage);
    }
  }

  @Test
  void loadedPartitionIsKnownEvenIfTheLogLosesItsBeginning() throws IOException {
    inFiles(CATALOG);
    RocksConfig left;
    try (var storage = RocksStorage.open(config())) {
      Map<String, Long> logs = logs();
      storage.open(ID).load(List.of(new Entry(bytes("a"), bytes("1"))).iterator());
      left = cut(logs);
    }
    try (var storage = RocksStorage.open(left)) {
      // Otherwise the next partition of that id would begin with its entries.
      assertTrue(storage.list().contains(ID), () -> storage.list().toString());
    }
  }

  @Test
  void partitionsDroppedTogetherAreFreedWithFewFlushes() {
    List<PartitionId> ids = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      ids.add(new PartitionId(i));
    }
    try (var storage = RocksStorage.open(config())) {
      for (PartitionId id : ids) {
        committed(storage.open(id), null, put("a", "1"));
      }
      long before = flushes(storage);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        ids.forEach(id -> threads.execute(() -> storage.drop(id)));
      }
      assertFalse(storage.list().contains(ids.getLast()));
      awaitFreed(storage);
      long flushes = flushes(storage) - before;
      assertTrue(flushes <= 3, () -> flushes + " flushes");
    }
  }

  /** Every flush leaves a file in the family that drops write to; so few are not compacted. */
  private static long flushes(RocksStorage storage) {
    var files = new AtomicLong();
    storage.committer().alone(instance -> files.set(filesOfMeta(instance)));
    return files.get();
  }

  private static long filesOfMeta(Instance instance) throws RocksDBException {
    return Long.parseLong(instance.db.getProperty(instance.meta, "rocksdb.num-files-at-level0"));
  }
}
