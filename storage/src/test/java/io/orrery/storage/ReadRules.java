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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  /** Keys are asked for out of order, and some are absent: the answer is one of their first. */
  @Test
  default void boundedMultiGetAnswersTheFirstOfItsKeys() {
    var store = storage().open(new PartitionId(1));
    var batch = new Batch();
    for (int i = 0; i < 40; i++) {
      batch.put(bytes("k" + i), new byte[100_000 + i]);
    }
    committed(store, null, batch);
    for (long bytesMax : new long[] {0, 1, 350_000, 1_000_000, 100_000_000}) {
      var keys = new ArrayList<byte[]>();
      for (int i = 39; i >= 0; i--) {
        keys.add(bytes((i % 4 == 3 ? "absent" : "k") + i));
      }
      int left = keys.size();
      try (var snapshot = store.snapshot()) {
        while (left > 0) {
          var values =
              snapshot.multiGet(keys.subList(keys.size() - left, keys.size()), bytesMax).values();
          assertTrue(!values.isEmpty() && values.size() <= left);
          long bytes = 0;
          for (byte @Nullable [] value : values) {
            left--;
            assertEquals(left % 4 == 3 ? -1 : 100_000 + left, value == null ? -1 : value.length);
            bytes += value == null ? 0 : value.length;
          }
          assertTrue(bytes <= Math.max(bytesMax + 100_040, 16 * 100_040), bytes + " bytes");
        }
      }
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
