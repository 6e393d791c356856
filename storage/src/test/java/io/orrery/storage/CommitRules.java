package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.next;
import static io.orrery.storage.Given.present;
import static io.orrery.storage.Given.put;
import static io.orrery.storage.Given.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The conditional commit, its atomicity, its limits and its durability. */
interface CommitRules extends StorageUnderTest {

  @Test
  default void firstCommitCreatesThePartition() {
    var store = storage().open(new PartitionId(1));
    assertNull(store.get(bytes("a")).head());
    assertTrue(storage().list().isEmpty());
    var head = committed(store, null, put("a", "1"));
    assertEquals(head, store.get(bytes("a")).head());
    assertEquals("1", text(store.get(bytes("a")).value()));
    assertEquals(List.of(new PartitionId(1)), storage().list());
    assertEquals(1, storage().statistics().commits());
  }

  @Test
  default void everyFieldOfTheHeadComesBack() {
    var store = storage().open(new PartitionId(1));
    Head head = null;
    for (int i = 0; i < 20; i++) {
      head = committed(store, head, new Batch());
      try (var snapshot = store.snapshot()) {
        assertEquals(head, snapshot.head());
      }
    }
    if (durable()) {
      assertEquals(head, reopen().open(new PartitionId(1)).get(bytes("a")).head());
    }
  }

  @Test
  default void commitOverNoHeadIsRefusedOnceThereIsOne() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    assertRefused(store, null, head);
  }

  @Test
  default void commitOverStaleHeadIsRefused() {
    var store = storage().open(new PartitionId(1));
    var first = committed(store, null, put("a", "1"));
    var second = committed(store, first, put("a", "2"));
    assertRefused(store, first, second);
  }

  @Test
  default void commitOverHeadOfTheFutureIsRefused() {
    var store = storage().open(new PartitionId(1));
    assertRefused(store, next(null), null);
    var head = committed(store, null, put("a", "1"));
    assertRefused(store, next(head), head);
  }

  @Test
  default void commitOverHeadOfAnotherCommitWithTheSameVersionIsRefused() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    assertRefused(store, next(null), head);
  }

  @Test
  default void versionThatSkipsIsAnError() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1"));
    var tooFar = next(next(head));
    assertThrows(IllegalArgumentException.class, () -> store.commit(head, tooFar, put("a", "2")));
    assertEquals(head, store.get(bytes("a")).head());
  }

  private static void assertRefused(
      PartitionStore store, @Nullable Head expected, @Nullable Head actual) {
    byte[] before = store.get(bytes("a")).value();
    var result = store.commit(expected, next(expected), put("a", "refused", "b", "refused"));
    assertEquals(new CommitResult.Refused(actual), result);
    try (var snapshot = store.snapshot()) {
      assertEquals(actual, snapshot.head());
      assertArrayEquals(before, snapshot.get(bytes("a")).value());
      assertNull(snapshot.get(bytes("b")).value());
    }
    assertEquals(actual, store.get(bytes("b")).head());
  }

  @Test
  default void lastChangeOfAKeyInABatchCounts() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1", "b", "1", "c", "1"));
    var batch = put("a", "2").delete(bytes("a")).delete(bytes("b")).put(bytes("b"), bytes("2"));
    committed(store, head, batch.delete(bytes("absent")));
    assertNull(store.get(bytes("a")).value());
    assertEquals("2", text(store.get(bytes("b")).value()));
    assertEquals("1", text(store.get(bytes("c")).value()));
  }

  @Test
  default void emptyKeysAndEmptyValuesAreKept() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("", "1", "a", ""));
    assertEquals("1", text(store.get(bytes("")).value()));
    assertEquals("", text(store.get(bytes("a")).value()));
    committed(store, head, new Batch().delete(bytes("")));
    assertNull(store.get(bytes("")).value());
  }

  @Test
  default void adjacentPartitionsDoNotMix() {
    long[] ids = {0, 1, 2, 254, 255, 256, 65_535, 65_536, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    for (long id : ids) {
      var batch = put("key", "of " + id).put(bytes(255, 255, 255), bytes("last of " + id));
      committed(storage().open(new PartitionId(id)), null, batch.put(bytes(), bytes("first")));
    }
    for (long id : ids) {
      var store = storage().open(new PartitionId(id));
      assertEquals("of " + id, text(store.get(bytes("key")).value()));
      try (var snapshot = store.snapshot()) {
        for (var all :
            List.of(
                Scan.forward(Given.LOWEST, Given.HIGHEST),
                Scan.backward(Given.LOWEST, Given.HIGHEST))) {
          assertEquals(3, snapshot.scan(all).entries().size());
        }
      }
    }
    assertEquals(Arrays.stream(ids).mapToObj(PartitionId::new).toList(), storage().list());
    storage().drop(new PartitionId(255));
    assertEquals("of 254", text(storage().open(new PartitionId(254)).get(bytes("key")).value()));
    assertEquals("of 256", text(storage().open(new PartitionId(256)).get(bytes("key")).value()));
  }

  @Test
  default void limitsAreAccepted() {
    var store = storage().open(new PartitionId(1));
    var longKey = new byte[Batch.KEY_BYTES_MAX];
    Arrays.fill(longKey, (byte) 255);
    var bigValue = new byte[Batch.VALUE_BYTES_MAX];
    new Random(1).nextBytes(bigValue);
    var full = new Batch().put(longKey, bigValue);
    for (int i = 0; i < 3; i++) {
      full.put(bytes(i), i < 2 ? bigValue : new byte[(7 << 20)]);
    }
    int rest = Batch.BATCH_BYTES_MAX - (int) full.sizeBytes() - 1;
    full.put(bytes(9), new byte[rest]);
    var head = committed(store, null, full);
    assertArrayEquals(bigValue, store.get(longKey).value());
    assertEquals(rest, present(store.get(bytes(9)).value()).length);

    var many = new Batch();
    for (int i = 0; i < Batch.ENTRIES_MAX; i++) {
      many.put(bytes(7, i >>> 16, i >>> 8, i), bytes(i));
    }
    committed(store, head, many);
    try (var snapshot = store.snapshot()) {
      var page = snapshot.scan(Scan.forward(bytes(7, 0), bytes(8)).atMost(Batch.ENTRIES_MAX));
      assertEquals(Batch.ENTRIES_MAX, page.entries().size());
    }
  }

  @Test
  default void committedStateSurvivesReopening() {
    Assumptions.assumeTrue(durable());
    var first = committed(storage().open(new PartitionId(1)), null, put("a", "1", "b", "1"));
    var second =
        committed(storage().open(new PartitionId(1)), first, put("a", "2").delete(bytes("b")));
    committed(storage().open(new PartitionId(2)), null, put("a", "other"));
    var store = reopen().open(new PartitionId(1));
    assertEquals(second, store.get(bytes("a")).head());
    assertEquals("2", text(store.get(bytes("a")).value()));
    assertNull(store.get(bytes("b")).value());
    assertEquals("other", text(storage().open(new PartitionId(2)).get(bytes("a")).value()));
    assertEquals(List.of(new PartitionId(1), new PartitionId(2)), storage().list());
    committed(store, second, put("c", "3"));
    assertEquals("3", text(reopen().open(new PartitionId(1)).get(bytes("c")).value()));
  }
}
