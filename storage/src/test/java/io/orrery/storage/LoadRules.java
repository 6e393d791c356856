package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.entries;
import static io.orrery.storage.Given.keys;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Bulk load of a partition before its first commit. */
interface LoadRules extends StorageUnderTest {

  @Test
  default void loadedEntriesShowFromTheFirstCommitOn() {
    var store = storage().open(new PartitionId(1));
    store.load(entries("a", "1", "c", "3"));
    store.load(entries("b", "2", "c", "later"));
    store.load(Collections.emptyIterator());
    assertNull(store.get(bytes("a")).head());
    assertNull(store.get(bytes("a")).value());
    try (var before = store.snapshot()) {
      var everything = Scan.forward(Given.LOWEST, Given.HIGHEST);
      assertTrue(before.scan(everything).entries().isEmpty());
      assertEquals(List.of(new PartitionId(1)), storage().list());
      var head = committed(store, null, put("d", "4").delete(bytes("a")));
      assertEquals(storage().repeatable(), before.scan(everything).entries().isEmpty());
      try (var snapshot = store.snapshot()) {
        assertEquals(List.of("b", "c", "d"), keys(snapshot.scan(everything)));
        assertEquals("later", text(snapshot.get(bytes("c")).value()));
        assertEquals(head, snapshot.head());
      }
    }
  }

  @Test
  default void loadAfterTheFirstCommitIsRefused() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    assertThrows(StorageFault.class, () -> store.load(entries("b", "2")));
    assertEquals(head, store.get(bytes("b")).head());
    assertNull(store.get(bytes("b")).value());
  }

  @Test
  default void unsortedLoadIsAnError() {
    var store = storage().open(new PartitionId(1));
    var same = List.of(new Entry(bytes("a"), bytes("1")), new Entry(bytes("a"), bytes("2")));
    assertThrows(IllegalArgumentException.class, () -> store.load(same.iterator()));
    var falling = List.of(new Entry(bytes(128), bytes("1")), new Entry(bytes(127), bytes("2")));
    assertThrows(IllegalArgumentException.class, () -> store.load(falling.iterator()));
  }

  @Test
  default void loadGoesBesideOtherPartitions() {
    var loading = storage().open(new PartitionId(2));
    Head left = committed(storage().open(new PartitionId(1)), null, put("z", "left"));
    committed(storage().open(new PartitionId(3)), null, put("a", "right"));
    try (var pinned = storage().open(new PartitionId(1)).snapshot()) {
      loading.load(manyEntries(0, 100_000));
      left = committed(storage().open(new PartitionId(1)), left, put("y", "left"));
      loading.load(manyEntries(100_000, 110_000));
      committed(loading, null, new Batch());
      assertEquals("left", text(pinned.get(bytes("z")).value()));
    }
    try (var snapshot = loading.snapshot()) {
      var seen = new ArrayList<Entry>();
      byte[] from = Given.LOWEST;
      Page page;
      do {
        page = snapshot.scan(Scan.forward(from, Given.HIGHEST).atMost(9_999));
        seen.addAll(page.entries());
        byte[] last = page.entries().getLast().key();
        from = Arrays.copyOf(last, last.length + 1);
      } while (page.more());
      assertEquals(110_000, seen.size());
    }
    assertEquals("left", text(storage().open(new PartitionId(1)).get(bytes("y")).value()));
    assertEquals("right", text(storage().open(new PartitionId(3)).get(bytes("a")).value()));
  }

  private static Iterator<Entry> manyEntries(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Entry(bytes(i >>> 24, i >>> 16, i >>> 8, i), new byte[100]))
        .iterator();
  }

  @Test
  default void loadSurvivesReopening() {
    Assumptions.assumeTrue(durable());
    storage().open(new PartitionId(1)).load(entries("a", "1", "b", "2"));
    var store = reopen().open(new PartitionId(1));
    assertEquals(List.of(new PartitionId(1)), storage().list());
    assertNull(store.get(bytes("a")).value());
    store.load(entries("c", "3"));
    committed(store, null, new Batch());
    var again = reopen().open(new PartitionId(1));
    for (var key : List.of("a", "b", "c")) {
      assertTrue(again.get(bytes(key)).value() != null, key);
    }
  }
}
