package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Precondition;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.ItemTerms;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to items and policies, the entries are those that the items call for. */
class ReindexTest {
  private static final List<IndexPolicy> POLICIES =
      List.of(
          policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[]}"),
          policy("{'includedPaths':[{'path':'/a/?'}],'excludedPaths':[{'path':'/*'}]}"),
          policy(
              "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/a/*'}],"
                  + "'compositeIndexes':[[{'path':'/a','order':'ascending'},"
                  + "{'path':'/b','order':'descending'}]]}"),
          IndexPolicy.none(PartitionFixture.DEFINITION));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void entriesFollowItemsAndPoliciesUnderConcurrentWrites(boolean repeatable) {
    long seed = System.nanoTime();
    var random = new Random(seed);
    try (var p = new PartitionFixture(repeatable)) {
      for (int i = 0; i < 700; i++) {
        p.run(new ItemTask.Create(key("k"), document(random, i)));
      }
      assertEntries(p, seed);
      var q = new QueryFixture(p);
      for (int round = 0; round < 6; round++) {
        p.index(POLICIES.get(random.nextInt(POLICIES.size())));
        do {
          write(p, random);
          String sql = "SELECT VALUE c.id FROM c WHERE c.a = 2 ORDER BY c.b";
          assertEquals(q.inMemory(sql), q.drain(sql, 50).rows(), "seed " + seed);
          if (random.nextInt(8) == 0) {
            p.reopen();
          }
        } while (p.partition.indexProgress() < 100);
        assertEntries(p, seed);
      }
    }
  }

  @Test
  void itemsWrittenBeforeThereWasAnIndexAreIndexedAtTheNextOpening() {
    try (var p = new PartitionFixture(true)) {
      var random = new Random(1);
      for (int i = 0; i < 300; i++) {
        p.run(new ItemTask.Create(key("k"), document(random, i)));
      }
      p.partition.close();
      removeIndex(p);
      assertEquals(Map.of(), entries(p));
      p.open();
      var q = new QueryFixture(p);
      String sql = "SELECT VALUE c.id FROM c WHERE c.a = 2";
      assertEquals(q.inMemory(sql), q.drain(sql, 50).rows());
      p.awaitIndex();
      assertEntries(p, 1);
    }
  }

  @Test
  void progressRisesToAHundred() {
    try (var p = new PartitionFixture(true)) {
      var random = new Random(1);
      for (int i = 0; i < 2_000; i++) {
        p.run(new ItemTask.Create(key("k"), document(random, i)));
      }
      assertEquals(100, p.partition.indexProgress());
      p.index(POLICIES.get(3));
      var seen = new ArrayList<Integer>();
      int progress;
      do {
        progress = p.partition.indexProgress();
        seen.add(progress);
      } while (progress < 100);
      assertTrue(seen.equals(seen.stream().sorted().toList()), seen.toString());
    }
  }

  /** Clients wait behind every step that waits. */
  @Test
  void oneStepOfAMoveWaitsAtATime() {
    try (var p = new PartitionFixture(true)) {
      var random = new Random(1);
      for (int i = 0; i < 6_000; i++) {
        p.run(new ItemTask.Create(key("k"), document(random, i)));
      }
      p.index(POLICIES.get(3));
      int most = 0;
      while (p.partition.indexProgress() < 100) {
        most = Math.max(most, p.partition.waitingWrites());
      }
      assertTrue(most <= 1, most + " steps wait");
    }
  }

  private static void write(PartitionFixture p, Random random) {
    int i = random.nextInt(750);
    ItemTask task =
        switch (random.nextInt(4)) {
          case 0 -> new ItemTask.Delete(key("k"), new Target.Id("i" + i), Precondition.NONE);
          case 1 -> new ItemTask.Create(key("m"), document(random, i));
          case 2 ->
              random.nextInt(5) == 0
                  ? new ItemTask.DeleteAll(key("m"))
                  : new ItemTask.Create(key("m"), document(random, i));
          default -> new ItemTask.Upsert(key("k"), document(random, i), Precondition.NONE);
        };
    p.run(task);
  }

  private static io.orrery.value.ItemBody document(Random random, int i) {
    return item(
        "{\"id\":\"i%d\",\"pk\":\"k\",\"a\":%d,\"b\":\"%s\",\"c\":[%d,{\"d\":true}]%s}"
            .formatted(
                i,
                random.nextInt(5),
                "xyz".substring(random.nextInt(3)),
                random.nextInt(3),
                random.nextBoolean() ? ",\"e\":null" : ""));
  }

  private static void assertEntries(PartitionFixture p, long seed) {
    p.awaitSweep();
    Map<String, String> expected = new TreeMap<>();
    Map<Long, Long> counts = new TreeMap<>();
    for (StoredItem item : p.feed(QueryFixture.ALL)) {
      var content = (Value.Obj) Json.parse(item.body().bytes().array());
      ItemTerms terms = ItemTerms.of(content, item.timestampSeconds(), p.policy());
      terms.terms().forEach(term -> expected.put(hex(Keys.index(term, item.counter())), ""));
      for (long path : terms.countedPaths()) {
        counts.merge(path, 1L, Long::sum);
      }
    }
    counts.forEach(
        (path, count) ->
            expected.put(
                hex(Keys.pathCount(path)), hex(ByteBuffer.allocate(8).putLong(count).array())));
    assertEquals(expected, entries(p), "seed " + seed);
  }

  private static Map<String, String> entries(PartitionFixture p) {
    Map<String, String> entries = new TreeMap<>();
    scan(p, new byte[] {0x08}, new byte[] {0x09}, entries);
    scan(p, new byte[] {0x0A}, new byte[] {0x0B}, entries);
    return entries;
  }

  private static void scan(PartitionFixture p, byte[] from, byte[] to, Map<String, String> into) {
    try (Snapshot snapshot = p.store.snapshot()) {
      byte @Nullable [] start = from;
      while (start != null) {
        Page page = snapshot.scan(Scan.forward(start, to));
        for (Entry entry : page.entries()) {
          into.put(hex(entry.key()), hex(entry.value()));
          start = Keys.after(entry.key());
        }
        start = page.more() ? start : null;
      }
    }
  }

  /** Leaves the partition as it was before there was an index. */
  private static void removeIndex(PartitionFixture p) {
    try (Snapshot snapshot = p.store.snapshot()) {
      Head head = snapshot.head();
      if (head == null) {
        return;
      }
      var batch = new Batch().delete(Keys.indexState());
      new TreeSet<>(entries(p).keySet())
          .forEach(entry -> batch.delete(HexFormat.of().parseHex(entry)));
      p.store.commit(
          head,
          new Head(
              head.version() + 1,
              head.lsn(),
              head.epoch(),
              head.state(),
              head.commitTicks(),
              head.nextDocument(),
              head.schema(),
              CommitId.random()),
          batch);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
