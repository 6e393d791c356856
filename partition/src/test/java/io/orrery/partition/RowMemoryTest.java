package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.CompiledQuery;
import io.orrery.query.Queries;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A chunk holds as much as it was asked for, whatever part of its rows that is. */
class RowMemoryTest {
  private static final int MAX_BYTES = 200_000;
  private static final int PAD = 20_000;
  private static final int ELEMENTS = 60;

  /** Each row of an item has a copy of a text that it is sorted by. */
  @Test
  void sortKeysCountAmongTheBytesOfAChunk() {
    try (var p = new PartitionFixture(true)) {
      String numbers =
          IntStream.range(0, ELEMENTS).mapToObj(Integer::toString).collect(Collectors.joining(","));
      p.run(
          new ItemTask.Create(
              key("a"),
              item(
                  "{\"id\":\"1\",\"pk\":\"a\",\"pad\":\"%s\",\"arr\":[%s]}"
                      .formatted("x".repeat(PAD), numbers))));
      var q = new QueryFixture(p);
      String sql = "SELECT VALUE t FROM c JOIN t IN c.arr ORDER BY c.pad";
      for (Want want : List.of(Want.ORDERED, Want.KEYED)) {
        List<QueryChunk> chunks = chunks(q, sql, want);
        assertEquals(
            q.inMemory(sql),
            chunks.stream()
                .flatMap(chunk -> chunk.rows().stream())
                .map(row -> QueryFixture.text(row.row()))
                .toList());
        for (QueryChunk chunk : chunks) {
          assertTrue(chunk.rows().size() <= MAX_BYTES / PAD, want + " " + chunk.rows().size());
        }
      }
    }
  }

  @Test
  void factsOfRanksCountAmongTheBytesOfAChunk() {
    try (var p = new PartitionFixture(true)) {
      for (int i = 0; i < 100; i++) {
        p.run(
            new ItemTask.Create(
                key("a"), item("{\"id\":\"%d\",\"pk\":\"a\",\"t\":\"w1 w2\"}".formatted(i))));
      }
      String terms =
          IntStream.range(0, 500).mapToObj(i -> "'w" + i + "'").collect(Collectors.joining(","));
      String sql = "SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.t, " + terms + ")";
      List<QueryChunk> chunks = chunks(new QueryFixture(p), sql, Want.KEYED);
      assertEquals(100, chunks.stream().mapToInt(chunk -> chunk.rows().size()).sum());
      for (QueryChunk chunk : chunks) {
        long facts =
            chunk.rows().stream()
                .mapToLong(row -> ((Value.Arr) row.keys().getFirst()).items().size())
                .sum();
        // An object and a reference to it for each number.
        assertTrue(20 * facts <= MAX_BYTES, facts + " facts");
      }
    }
  }

  private static List<QueryChunk> chunks(QueryFixture q, String sql, Want want) {
    CompiledQuery query = Queries.compile(sql);
    List<QueryChunk> chunks = new ArrayList<>();
    RowPosition after = null;
    do {
      QueryChunk chunk = q.chunk(query, QueryFixture.ALL, want, after, 10_000, MAX_BYTES);
      chunks.add(chunk);
      after = chunk.next();
    } while (after != null);
    return chunks;
  }
}
