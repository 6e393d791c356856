package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gets and multi-gets, and the state that a snapshot shows. */
interface ReadRules extends StorageUnderTest {

  @Test
  default void openGivesTheSameObject() {
    var store = storage().open(new PartitionId(3));
    assertSame(store, storage().open(new PartitionId(3)));
    assertEquals(new PartitionId(3), store.id());
  }

  @Test
  default void partitionWithoutHeadShowsNothing() {
    var store = storage().open(new PartitionId(1));
    try (var snapshot = store.snapshot()) {
      assertNull(snapshot.head());
      assertNull(snapshot.get(bytes("a")).head());
      assertNull(snapshot.get(bytes("a")).value());
      var reads = snapshot.multiGet(List.of(bytes("a"), bytes("b")));
      assertNull(reads.head());
      assertEquals(Arrays.asList(null, null), reads.values());
      var page = snapshot.scan(Scan.forward(Given.LOWEST, Given.HIGHEST));
      assertNull(page.head());
      assertTrue(page.entries().isEmpty());
    }
  }

  @Test
  default void multiGetAnswersInTheOrderOfItsKeys() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1", "b", "2", "c", "3"));
    try (var snapshot = store.snapshot()) {
      var reads =
          snapshot.multiGet(
              List.of(bytes("c"), bytes("absent"), bytes("a"), bytes("c"), bytes("")));
      assertEquals(head, reads.head());
      assertEquals(
          Arrays.asList("3", null, "1", "3", null),
          reads.values().stream().map(Given::text).toList());
      assertTrue(snapshot.multiGet(List.of()).values().isEmpty());
    }
  }

  @Test
  default void eachCallAnswersWithTheHeadOfTheStateItSaw() {
    var store = storage().open(new PartitionId(1));
    var first = committed(store, null, put("a", "1"));
    try (var snapshot = store.snapshot()) {
      var second = committed(store, first, put("a", "2", "b", "2"));
      assertEquals(first, snapshot.head());
      var seen = storage().repeatable() ? first : second;
      var value = storage().repeatable() ? "1" : "2";
      assertEquals(seen, snapshot.get(bytes("a")).head());
      assertEquals(value, text(snapshot.get(bytes("a")).value()));
      var reads = snapshot.multiGet(List.of(bytes("a")));
      assertEquals(seen, reads.head());
      assertEquals(value, text(reads.values().getFirst()));
      var page = snapshot.scan(Scan.forward(Given.LOWEST, Given.HIGHEST));
      assertEquals(seen, page.head());
      assertEquals(storage().repeatable() ? 1 : 2, page.entries().size());
      assertEquals(second, store.get(bytes("a")).head());
      assertEquals("2", text(store.get(bytes("a")).value()));
    }
  }

  @Test
  default void closedSnapshotIsNotReadable() {
    var store = storage().open(new PartitionId(1));
    committed(store, null, put("a", "1"));
    var snapshot = store.snapshot();
    snapshot.close();
    snapshot.close();
    assertThrows(IllegalStateException.class, () -> snapshot.get(bytes("a")));
    assertThrows(IllegalStateException.class, () -> snapshot.multiGet(List.of(bytes("a"))));
    assertThrows(
        IllegalStateException.class,
        () -> snapshot.scan(Scan.forward(Given.LOWEST, Given.HIGHEST)));
  }
}
