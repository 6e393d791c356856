package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.entries;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Dropped partitions are gone at once and for good. */
interface DropRules extends StorageUnderTest {

  @Test
  default void droppedPartitionIsGoneAtOnce() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    committed(storage().open(new PartitionId(2)), null, put("a", "other"));
    storage().drop(new PartitionId(1));
    assertGone(store, head);
    storage().drop(new PartitionId(1));
    assertGone(storage().open(new PartitionId(1)), head);
    assertEquals(List.of(new PartitionId(2)), storage().list());
    assertEquals("other", text(storage().open(new PartitionId(2)).get(bytes("a")).value()));
  }

  private static void assertGone(PartitionStore store, @Nullable Head last) {
    assertNull(store.get(bytes("a")).head());
    assertNull(store.get(bytes("a")).value());
    try (var snapshot = store.snapshot()) {
      assertNull(snapshot.head());
      assertEquals(List.of(), snapshot.scan(Scan.forward(Given.LOWEST, Given.HIGHEST)).entries());
    }
    var refused = new CommitResult.Refused(null);
    assertEquals(refused, store.commit(last, next(last), put("a", "late")));
    assertEquals(refused, store.commit(null, next(null), put("a", "late")));
    assertThrows(StorageFault.class, () -> store.load(entries("a", "late")));
    assertNull(store.get(bytes("a")).head());
  }

  @Test
  default void snapshotOpenedBeforeADropStillReads() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1", "b", "2"));
    var second = store.snapshot();
    try (var first = store.snapshot()) {
      storage().drop(new PartitionId(1));
      second.close();
      for (int i = 0; i < 3; i++) {
        committed(storage().open(new PartitionId(10 + i)), null, put("a", "1"));
        assertEquals(head, first.head());
        assertEquals(storage().repeatable() ? "1" : null, text(first.get(bytes("a")).value()));
        var page = first.scan(Scan.backward(Given.LOWEST, Given.HIGHEST));
        assertEquals(storage().repeatable() ? 2 : 0, page.entries().size());
        assertEquals(storage().repeatable() ? head : null, page.head());
      }
    }
    assertGone(store, head);
  }

  @Test
  default void dropOfWhatDoesNotExistDoesNothing() {
    storage().drop(new PartitionId(1));
    committed(storage().open(new PartitionId(1)), null, put("a", "1"));
    assertEquals(List.of(new PartitionId(1)), storage().list());
  }

  @Test
  default void loadedPartitionWithoutHeadCanBeDropped() {
    var store = storage().open(new PartitionId(1));
    store.load(entries("a", "1"));
    storage().drop(new PartitionId(1));
    assertEquals(List.of(), storage().list());
    assertGone(store, null);
  }

  @Test
  default void droppedPartitionStaysGoneAfterReopening() {
    Assumptions.assumeTrue(durable());
    var head = committed(storage().open(new PartitionId(1)), null, put("a", "1"));
    committed(storage().open(new PartitionId(2)), null, put("a", "other"));
    try (var snapshot = storage().open(new PartitionId(1)).snapshot()) {
      storage().drop(new PartitionId(1));
      assertEquals(storage().repeatable() ? "1" : null, text(snapshot.get(bytes("a")).value()));
      reopen();
    }
    for (int i = 0; i < 2; i++) {
      assertGone(storage().open(new PartitionId(1)), head);
      assertEquals(List.of(new PartitionId(2)), storage().list());
      assertEquals("other", text(storage().open(new PartitionId(2)).get(bytes("a")).value()));
      reopen();
    }
  }
}
