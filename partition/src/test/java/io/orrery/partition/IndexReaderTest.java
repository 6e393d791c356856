package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Bytes;
import io.orrery.operation.StoredItem;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Queries;
import io.orrery.query.index.Access;
import io.orrery.query.index.IndexPath;
import io.orrery.query.index.ItemTerms;
import io.orrery.query.index.Stretch;
import io.orrery.query.index.TermEncoding;
import io.orrery.storage.Snapshot;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the index names is what the terms of all items say. */
class IndexReaderTest {
  private static final List<IndexPath> PATHS =
      List.of(IndexPath.of("a"), IndexPath.of("b"), IndexPath.of("tags", "[]"));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyAccessNamesTheItemsWithItsTerms(boolean repeatable) {
    long seed = System.nanoTime();
    var random = new Random(seed);
    try (var p = new PartitionFixture(repeatable)) {
      for (int i = 0; i < 300; i++) {
        p.run(new ItemTask.Create(key("k"), item(document(random, i))));
      }
      NavigableMap<Long, List<byte[]>> terms = termsOf(p);
      for (int i = 0; i < 300; i++) {
        Access access = access(random, 3);
        long from = random.nextBoolean() ? 0 : terms.firstKey() + random.nextInt(300);
        List<Long> expected =
            terms.entrySet().stream()
                .filter(item -> item.getKey() >= from && meets(access, item.getValue()))
                .map(item -> item.getKey())
                .toList();
        assertEquals(expected, read(p, access, from), () -> access + ", seed " + seed);
      }
    }
  }

  @Test
  void everyPathOfAnItemWithManyIsCounted() {
    try (var p = new PartitionFixture(true)) {
      var many = new StringBuilder("{\"id\":\"rich\",\"pk\":\"k\"");
      for (int i = 0; i < 700; i++) {
        many.append(",\"m").append(i).append("\":").append(i);
      }
      p.run(new ItemTask.Create(key("k"), item(many + "}")));
      try (Snapshot snapshot = p.store.snapshot()) {
        for (int i = 0; i < 700; i++) {
          byte[] count = snapshot.get(Keys.pathCount(IndexPath.of("m" + i).hash())).value();
          assertEquals(1, PathCounts.decode(count), "m" + i);
        }
      }
    }
  }

  @Test
  void itemsThatAreOnlyPartlyIndexedBelongToEveryAccess() {
    try (var p = new PartitionFixture(true)) {
      var many = new StringBuilder("0");
      for (int i = 1; i < 10_100; i++) {
        many.append(',').append(i);
      }
      p.create("k", "small");
      p.run(
          new ItemTask.Create(
              key("k"), item("{\"id\":\"rich\",\"pk\":\"k\",\"tags\":[" + many + "],\"z\":1}")));
      var q = new QueryFixture(p);
      assertEquals(
          List.of("\"rich\""), q.drain("SELECT VALUE c.id FROM c WHERE c.z = 1", 9).rows());
      for (int size : new int[] {1, 9}) {
        assertEquals(
            List.of("\"small\"", "\"rich\""),
            q.drain("SELECT VALUE c.id FROM c ORDER BY c.z", size).rows());
      }
      p.run(
          new ItemTask.Delete(
              key("k"), new Target.Id("rich"), io.orrery.operation.Precondition.NONE));
      assertEquals(1, indexedItems(p));
    }
  }

  @Test
  void termsTooLongForAKeyDoNotHideTheirItems() {
    try (var p = new PartitionFixture(true)) {
      var paths = new StringBuilder();
      var members = new StringBuilder();
      for (int i = 0; i < 8; i++) {
        paths.append(i == 0 ? "" : ",").append("{'path':'/m" + i + "','order':'ascending'}");
        members.append(",\"m" + i + "\":\"" + "\\u0000".repeat(1000) + "\"");
      }
      p.index(policy("{'includedPaths':[{'path':'/*'}],'compositeIndexes':[[" + paths + "]]}"));
      p.awaitIndex();
      p.create("k", "small");
      p.run(new ItemTask.Create(key("k"), item("{\"id\":\"long\",\"pk\":\"k\"" + members + "}")));
      var q = new QueryFixture(p);
      String order = "ORDER BY c.m0, c.m1, c.m2, c.m3, c.m4, c.m5, c.m6, c.m7";
      assertEquals(
          List.of("\"small\"", "\"long\""), q.drain("SELECT VALUE c.id FROM c " + order, 1).rows());
    }
  }

  @Test
  void orderInASmallKeyReadsNoEntriesOfKeysWrittenBeforeOrAfter() {
    try (var p = new PartitionFixture(true)) {
      for (int i = 0; i < 300; i++) {
        p.run(
            new ItemTask.Create(
                key("k" + i / 100),
                item(
                    "{\"id\":\"i%03d\",\"pk\":\"k%d\",\"g\":%d}"
                        .formatted(i * 7 % 300, i / 100, i % 10))));
      }
      var q = new QueryFixture(p);
      for (String key : List.of("k0", "k1", "k2", "none")) {
        FeedSlice slice = new FeedSlice.OneKey(key(key));
        String sql = "SELECT VALUE c.id FROM c WHERE c.g = 3 OR c.g = 'plain' ORDER BY c.id";
        var found = q.drain(sql, slice, 100, 4 << 20);
        assertEquals(q.inMemory(sql, slice), found.rows());
        assertEquals(key.equals("none") ? 0 : 10, found.rows().size());
        assertTrue(found.work().indexEntriesRead() <= 110, key + " " + found.work());
        assertEquals(found.rows(), q.drain(sql, slice, 3, 4 << 20).rows());
      }
    }
  }

  @Test
  void orderWithinAKeyThatTheIndexBeginsWithReadsOnlyItsPage() {
    try (var p = new PartitionFixture(true)) {
      p.index(
          policy(
              "{'includedPaths':[{'path':'/*'}],'compositeIndexes':[["
                  + "{'path':'/pk','order':'ascending'},{'path':'/id','order':'ascending'}]]}"));
      p.awaitIndex();
      for (int i = 0; i < 300; i++) {
        p.create("k" + i % 3, "i%03d".formatted(i * 7 % 300));
      }
      var q = new QueryFixture(p);
      for (String filter : List.of("", " AND c.id >= 'i150'")) {
        String sql = "SELECT VALUE c.id FROM c WHERE c.pk = 'k1'" + filter + " ORDER BY c.id";
        FeedSlice slice = new FeedSlice.OneKey(key("k1"));
        assertEquals(q.inMemory(sql, slice), q.drain(sql, slice, 10, 4 << 20).rows());
        CompiledQuery query = Queries.compile(sql);
        QueryChunk first = q.chunk(query, slice, Want.ORDERED, null, 10, 4 << 20);
        assertEquals(10, first.rows().size());
        assertTrue(first.work().indexEntriesRead() <= 20, first.work().toString());
        // Another key than the one that is asked for has no such rows.
        FeedSlice other = new FeedSlice.OneKey(key("k2"));
        assertEquals(List.of(), q.drain(sql, other, 10, 4 << 20).rows());
      }
    }
  }

  static long indexedItems(PartitionFixture p) {
    try (Snapshot snapshot = p.store.snapshot()) {
      return new IndexReader(
              snapshot, new QueryTally(item -> {}, () -> {}), new RangeCache(), 0, 10)
          .count(IndexPath.of("id"));
    }
  }

  private static List<Long> read(PartitionFixture p, Access access, long from) {
    try (Snapshot snapshot = p.store.snapshot()) {
      Counters found =
          new IndexReader(snapshot, new QueryTally(item -> {}, () -> {}), new RangeCache(), from, 5)
              .candidates(access, QueryFixture.ALL);
      var counters = new ArrayList<Long>();
      if (found != null) {
        for (long c = found.next(from); c != Counters.END; c = found.next(c + 1)) {
          counters.add(c);
        }
      }
      return counters;
    }
  }

  private static String document(Random random, int i) {
    var json = new StringBuilder("{\"id\":\"" + i + "\",\"pk\":\"k\"");
    if (random.nextInt(4) > 0) {
      json.append(",\"a\":").append(random.nextInt(6));
    }
    if (random.nextInt(4) > 0) {
      json.append(",\"b\":\"").append((char) ('p' + random.nextInt(4))).append('"');
    }
    return json.append(",\"tags\":[")
        .append(random.nextInt(3))
        .append(',')
        .append(random.nextInt(9))
        .append("]}")
        .toString();
  }

  private static Access access(Random random, int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      IndexPath path = PATHS.get(random.nextInt(PATHS.size()));
      return random.nextInt(5) == 0
          ? new Access.Missing(path)
          : new Access.Lookup(path, stretches(random, path));
    }
    var parts = new ArrayList<Access>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      parts.add(access(random, depth - 1));
    }
    return random.nextBoolean() ? new Access.All(parts) : new Access.Any(parts);
  }

  private static List<Stretch> stretches(Random random, IndexPath path) {
    var stretches = new ArrayList<Stretch>();
    int at = 0;
    for (int i = 0; i <= random.nextInt(3); i++) {
      Bytes from = term(path, at + random.nextInt(2));
      if (random.nextBoolean()) {
        stretches.add(new Stretch.Point(from));
      } else {
        stretches.add(new Stretch.Range(from, term(path, at + 3)));
      }
      at += 3;
    }
    return stretches;
  }

  private static Bytes term(IndexPath path, int i) {
    Value value =
        path.segments().getFirst().equals("b")
            ? Value.of(String.valueOf((char) ('o' + i)))
            : Value.of((long) i);
    return Bytes.of(TermEncoding.term(path, value));
  }

  private static NavigableMap<Long, List<byte[]>> termsOf(PartitionFixture p) {
    var terms = new TreeMap<Long, List<byte[]>>();
    for (StoredItem item : p.feed(QueryFixture.ALL)) {
      var content = (Value.Obj) Json.parse(item.body().bytes().array());
      terms.put(item.counter(), ItemTerms.of(content, item.timestampSeconds(), p.policy()).terms());
    }
    return terms;
  }

  private static boolean meets(Access access, List<byte[]> terms) {
    return switch (access) {
      case Access.Everything _ -> true;
      case Access.Nothing _ -> false;
      case Access.Lookup(var index, var stretches) ->
          terms.stream().anyMatch(term -> stretches.stream().anyMatch(s -> contains(s, term)));
      case Access.Missing(var path) ->
          terms.stream()
              .noneMatch(term -> Arrays.equals(Arrays.copyOf(term, 8), TermEncoding.prefix(path)));
      case Access.All(var parts) -> parts.stream().allMatch(part -> meets(part, terms));
      case Access.Any(var parts) -> parts.stream().anyMatch(part -> meets(part, terms));
    };
  }

  private static boolean contains(Stretch stretch, byte[] term) {
    return switch (stretch) {
      case Stretch.Point(var at) -> Arrays.equals(at.array(), term);
      case Stretch.Range(var from, var to) ->
          Arrays.compareUnsigned(from.array(), term) <= 0
              && Arrays.compareUnsigned(term, to.array()) < 0;
    };
  }
}
