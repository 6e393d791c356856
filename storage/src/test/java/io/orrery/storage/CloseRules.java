package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.entries;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A closed storage answers every call with a fault, also to those who were using it. */
interface CloseRules extends StorageUnderTest {

  @Test
  default void callsAfterCloseAreFaults() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    var snapshot = store.snapshot();
    storage().close();
    storage().close();
    assertThrows(StorageFault.class, () -> store.get(bytes("a")));
    assertThrows(StorageFault.class, store::snapshot);
    assertThrows(StorageFault.class, () -> store.commit(head, next(head), put("a", "2")));
    assertThrows(StorageFault.class, () -> store.load(entries("a", "1")));
    assertThrows(StorageFault.class, () -> snapshot.get(bytes("a")));
    assertThrows(StorageFault.class, () -> snapshot.multiGet(List.of(bytes("a"))));
    assertThrows(
        StorageFault.class, () -> snapshot.scan(Scan.forward(Given.LOWEST, Given.HIGHEST)));
    assertThrows(StorageFault.class, () -> storage().open(new PartitionId(1)));
    assertThrows(StorageFault.class, () -> storage().list());
    assertThrows(StorageFault.class, () -> storage().drop(new PartitionId(1)));
    snapshot.close();
  }

  @Test
  default void closeUnderLoadEndsEveryCallCleanly() throws Exception {
    var started = new CountDownLatch(8);
    try (var executor = Executors.newCachedThreadPool()) {
      var counts = new ArrayList<Future<Long>>();
      for (int i = 0; i < 8; i++) {
        var store = storage().open(new PartitionId(i));
        counts.add(executor.submit(i % 2 == 0 ? writer(store, started) : reader(store, started)));
      }
      started.await();
      storage().close();
      for (int i = 0; i < 8; i++) {
        long acknowledged = counts.get(i).get();
        assertTrue(acknowledged > 0);
      }
      if (durable()) {
        reopen();
        for (int i = 0; i < 8; i += 2) {
          var head = storage().open(new PartitionId(i)).get(bytes("a")).head();
          assertEquals(counts.get(i).get(), head == null ? 0 : head.version());
        }
      }
    }
  }

  private static Callable<Long> writer(PartitionStore store, CountDownLatch started) {
    return () -> {
      Head head = null;
      while (true) {
        try {
          head = committed(store, head, put("a", "1"));
          if (head.version() == 1) {
            started.countDown();
          }
        } catch (StorageFault closed) {
          return head == null ? 0 : head.version();
        }
      }
    };
  }

  private static Callable<Long> reader(PartitionStore store, CountDownLatch started) {
    return () -> {
      Head head = committed(store, null, put("a", "1"));
      started.countDown();
      long reads = 1;
      while (true) {
        try (var snapshot = store.snapshot()) {
          assertEquals(head, snapshot.get(bytes("a")).head());
          snapshot.scan(Scan.backward(Given.LOWEST, Given.HIGHEST));
          assertEquals(head, store.get(bytes("a")).head());
          reads++;
        } catch (StorageFault closed) {
          return reads;
        }
      }
    };
  }
}
