package io.orrery.storage;

import static io.orrery.storage.Given.bytes;
import static io.orrery.storage.Given.committed;
import static io.orrery.storage.Given.keys;
import static io.orrery.storage.Given.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bounded scans in both directions. */
interface ScanRules extends StorageUnderTest {

  @Test
  default void scanIncludesItsStartAndExcludesItsEnd() {
    var store = storage().open(new PartitionId(1));
    var head = committed(store, null, put("a", "1", "b", "2", "c", "3", "d", "4"));
    try (var snapshot = store.snapshot()) {
      var page = snapshot.scan(Scan.forward(bytes("b"), bytes("d")));
      assertEquals(head, page.head());
      assertEquals(List.of("b", "c"), keys(page));
      assertFalse(page.more());
      page = snapshot.scan(Scan.backward(bytes("b"), bytes("d")));
      assertEquals(List.of("c", "b"), keys(page));
      assertFalse(page.more());
      assertEquals(List.of("d"), keys(snapshot.scan(Scan.forward(bytes("ca"), bytes("z")))));
      assertEquals(List.of(), keys(snapshot.scan(Scan.forward(bytes("b"), bytes("b")))));
      assertEquals(List.of(), keys(snapshot.scan(Scan.forward(bytes("d"), bytes("a")))));
      assertEquals(List.of(), keys(snapshot.scan(Scan.backward(bytes("d"), bytes("a")))));
    }
  }

  @Test
  default void scanStopsAtItsEntries() {
    var store = storage().open(new PartitionId(1));
    committed(store, null, put("a", "1", "b", "2", "c", "3"));
    try (var snapshot = store.snapshot()) {
      var all = Scan.forward(bytes("a"), bytes("z"));
      assertEquals(List.of("a", "b"), keys(snapshot.scan(all.atMost(2))));
      assertTrue(snapshot.scan(all.atMost(2)).more());
      assertFalse(snapshot.scan(all.atMost(3)).more());
      var back = Scan.backward(bytes("a"), bytes("z"));
      assertEquals(List.of("c"), keys(snapshot.scan(back.atMost(1))));
      assertTrue(snapshot.scan(back.atMost(1)).more());
      assertFalse(snapshot.scan(back.atMost(3)).more());
      // An entry beyond the range is not more of it.
      assertFalse(snapshot.scan(Scan.forward(bytes("a"), bytes("b")).atMost(1)).more());
      assertFalse(snapshot.scan(Scan.backward(bytes("c"), bytes("d")).atMost(1)).more());
    }
  }

  @Test
  default void scanStopsAtItsBytesButNotBeforeOneEntry() {
    var store = storage().open(new PartitionId(1));
    committed(store, null, put("a", "123456789", "b", "123456789", "c", "123456789"));
    try (var snapshot = store.snapshot()) {
      var all = Scan.forward(bytes("a"), bytes("z"));
      assertEquals(List.of("a"), keys(snapshot.scan(all.atMostBytes(1))));
      assertTrue(snapshot.scan(all.atMostBytes(1)).more());
      assertEquals(List.of("a"), keys(snapshot.scan(all.atMostBytes(10))));
      assertEquals(List.of("a", "b"), keys(snapshot.scan(all.atMostBytes(11))));
      assertFalse(snapshot.scan(all.atMostBytes(30)).more());
      var back = Scan.backward(bytes("a"), bytes("z")).atMostBytes(20);
      assertEquals(List.of("c", "b"), keys(snapshot.scan(back)));
      assertTrue(snapshot.scan(back).more());
    }
  }

  @Test
  default void orderIsByUnsignedBytes() {
    var random = Given.random("orderIsByUnsignedBytes");
    var store = storage().open(new PartitionId(1));
    var model = Given.sorted();
    Head head = null;
    for (int round = 0; round < 20; round++) {
      head = committed(store, head, randomChanges(random, model));
    }
    try (var snapshot = store.snapshot()) {
      for (int round = 0; round < 100; round++) {
        byte[] from = randomKey(random);
        byte[] to = randomKey(random);
        boolean backward = random.nextBoolean();
        var expected = new ArrayList<byte[]>();
        if (Arrays.compareUnsigned(from, to) < 0) {
          var range = model.subMap(from, true, to, false);
          expected.addAll((backward ? range.descendingMap() : range).keySet());
        }
        var scan = backward ? Scan.backward(from, to) : Scan.forward(from, to);
        int most = 1 + random.nextInt(50);
        var page = snapshot.scan(scan.atMost(most));
        assertEquals(Math.min(most, expected.size()), page.entries().size());
        assertEquals(expected.size() > most, page.more());
        for (int i = 0; i < page.entries().size(); i++) {
          var entry = page.entries().get(i);
          assertArrayEquals(expected.get(i), entry.key());
          assertArrayEquals(model.get(entry.key()), entry.value());
        }
      }
    }
  }

  private static Batch randomChanges(Random random, NavigableMap<byte[], byte[]> model) {
    var batch = new Batch();
    for (int i = 0; i < 50; i++) {
      byte[] key = randomKey(random);
      if (random.nextInt(4) == 0) {
        batch.delete(key);
        model.remove(key);
      } else {
        byte[] value = randomKey(random);
        batch.put(key, value);
        model.put(key, value);
      }
    }
    return batch;
  }

  private static byte[] randomKey(Random random) {
    var key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(8) * 36);
    }
    return key;
  }
}
