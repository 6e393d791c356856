package io.orrery.hbase;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.storage.Batch;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region that is closed and opened again makes its readers and writers wait, nothing else. */
class RegionMovesTest {
  private static final PartitionId ID = new PartitionId(1);
  private static final int ENTRIES = 100;
  private static final int MOVES = 5;

  private final String table = "moves-" + UUID.randomUUID();

  @SuppressWarnings("NullAway.Init") // set before each test
  private HbaseStorage storage;

  @BeforeEach
  void open() {
    storage = HbaseStorage.open(HbaseConfig.at(RunningHbase.zookeeper()).withTable(table));
  }

  @AfterEach
  void remove() {
    if (storage != null) {
      storage.close();
      RunningHbase.remove(table);
    }
  }

  @Test
  void readersAndWritersWait() throws Exception {
    PartitionStore store = storage.open(ID);
    var batch = new Batch();
    // Large enough that a scan takes several calls of the server.
    for (int i = 0; i < ENTRIES; i++) {
      batch.put(bytes("k%03d".formatted(i)), new byte[100_000]);
    }
    Head first = committed(store, null, batch);
    var stop = new AtomicBoolean();
    var reading = CompletableFuture.runAsync(() -> read(store, stop));
    var writing = CompletableFuture.supplyAsync(() -> write(store, first, stop));
    move();
    stop.set(true);
    reading.get(60, TimeUnit.SECONDS);
    Head last = writing.get(60, TimeUnit.SECONDS);
    assertEquals(last, store.get(bytes("counter")).head());
  }

  private static void read(PartitionStore store, AtomicBoolean stop) {
    while (!stop.get()) {
      try (Snapshot snapshot = store.snapshot()) {
        var page = snapshot.scan(Scan.forward(bytes("k"), bytes("l")).atMost(ENTRIES));
        assertEquals(page.more() ? page.entries().size() : ENTRIES, page.entries().size());
      }
    }
  }

  private static Head write(PartitionStore store, Head first, AtomicBoolean stop) {
    Head head = first;
    for (int i = 0; !stop.get(); i++) {
      head = committed(store, head, put("counter", Integer.toString(i)));
    }
    return head;
  }

  private void move() throws Exception {
    try (var connection = RunningHbase.connect();
        var admin = connection.getAdmin()) {
      for (int i = 0; i < MOVES; i++) {
        TimeUnit.SECONDS.sleep(1);
        byte[] region = admin.getRegions(TableName.valueOf(table)).getFirst().getRegionName();
        admin.unassign(region);
        TimeUnit.MILLISECONDS.sleep(200);
        admin.assign(region);
      }
    }
  }
}
