package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static io.orrery.partition.PartitionFixture.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each form of access looks at the items it answers with, and at hardly any other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessFormsTest {
  private static final int ITEMS = 1_000;
  private final PartitionFixture p = new PartitionFixture(true);
  private final QueryFixture q = new QueryFixture(p);

  @BeforeAll
  void fill() {
    p.index(
        policy(
            "{'includedPaths':[{'path':'/*'}],'excludedPaths':[],"
                + "'compositeIndexes':[[{'path':'/city','order':'ascending'},"
                + "{'path':'/n','order':'descending'}]]}"));
    p.awaitIndex();
    for (int i = 0; i < ITEMS; i++) {
      String optional = i % 10 == 0 ? ",\"extra\":" + i : "";
      p.run(
          new ItemTask.Create(
              key("p" + i % 20),
              item(
                  ("{\"id\":\"i%03d\",\"pk\":\"p%d\",\"n\":%d,\"city\":\"c%02d\",\"flag\":%b,"
                          + "\"tags\":[\"t%d\",\"u%d\"],\"kids\":[{\"a\":%d}],\"m\":%s%s}")
                      .formatted(
                          i,
                          i % 20,
                          i,
                          i % 50,
                          i % 25 == 0,
                          i % 40,
                          i % 7,
                          i % 30,
                          i % 100 == 0 ? "null" : i % 100 == 1 ? "\"s\"" : "1",
                          optional))));
    }
  }

  @AfterAll
  void close() {
    p.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM c WHERE c.city = 'c07'",
        "SELECT * FROM c WHERE 'c07' = c.city",
        "SELECT * FROM c WHERE c.city IN ('c07', 'c09', 'none')",
        "SELECT * FROM c WHERE c.n < 17",
        "SELECT * FROM c WHERE c.n >= 990",
        "SELECT * FROM c WHERE c.n BETWEEN 10 AND 20",
        "SELECT * FROM c WHERE c.m != 1",
        "SELECT * FROM c WHERE STARTSWITH(c.id, 'i12')",
        "SELECT * FROM c WHERE c.id LIKE 'i12%'",
        "SELECT * FROM c WHERE c.city = 'c07' AND c.n > 500",
        "SELECT * FROM c WHERE c.city = 'c07' AND ARRAY_CONTAINS(c.tags, 't7')",
        "SELECT * FROM c WHERE c.city = 'c07' OR c.n = 3",
        "SELECT * FROM c WHERE NOT (c.n < 980 OR c.city = 'c07')",
        "SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 't7')",
        "SELECT * FROM c WHERE ARRAY_CONTAINS(c.kids, {'a': 3}, true)",
        "SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 't7')",
        "SELECT * FROM c WHERE EXISTS(SELECT VALUE k FROM k IN c.kids WHERE k.a = 3)",
        "SELECT c.id, k FROM c JOIN k IN c.kids WHERE k.a = 3",
        "SELECT * FROM c WHERE c.tags[0] = 't7'",
        "SELECT * FROM c WHERE c.flag",
        "SELECT * FROM c WHERE IS_DEFINED(c.extra)",
        "SELECT * FROM c WHERE NOT IS_DEFINED(c.extra)",
        "SELECT * FROM c WHERE IS_NULL(c.m)",
        "SELECT * FROM c WHERE IS_STRING(c.m)",
        "SELECT * FROM c WHERE c.pk = 'p3'",
        "SELECT * FROM c WHERE c.id = 'i123'",
        "SELECT * FROM c ORDER BY c.n",
        "SELECT * FROM c ORDER BY c.n DESC",
        "SELECT * FROM c ORDER BY c.extra",
        "SELECT * FROM c ORDER BY c.extra DESC",
        "SELECT * FROM c ORDER BY c.city",
        "SELECT * FROM c ORDER BY c.city DESC",
        "SELECT * FROM c WHERE c.n > 700 ORDER BY c.n",
        "SELECT * FROM c WHERE c.city = 'c07' ORDER BY c.n",
        "SELECT * FROM c WHERE c.flag ORDER BY c.n DESC",
        "SELECT * FROM c ORDER BY c.city, c.n DESC",
        "SELECT * FROM c ORDER BY c.city DESC, c.n",
        "SELECT * FROM c",
      })
  void itemsLookedAtAreItemsAnswered(String sql) {
    for (int size : new int[] {10, 100}) {
      QueryFixture.Drained drained = q.drain(sql, size);
      assertEquals(q.inMemory(sql), drained.rows());
      assertTrue(drained.work().outputCount() > 0);
      assertEquals(drained.work().outputCount(), drained.work().retrievedCount(), "by " + size);
    }
  }

  @Test
  void oneKeyLooksAtItsItemsOnly() {
    for (FeedSlice slice :
        new FeedSlice[] {
          new FeedSlice.OneKey(key("p3")),
          new FeedSlice.Range(
              new EpkRange(key("p3").epk(), new EffectivePartitionKey(key("p3").epk().hex() + "0")))
        }) {
      for (String sql :
          new String[] {
            "SELECT * FROM c",
            "SELECT * FROM c WHERE c.n > 500",
            "SELECT * FROM c ORDER BY c.n DESC",
            "SELECT * FROM c WHERE c.city = 'c03'"
          }) {
        QueryFixture.Drained drained = q.drain(sql, slice, 100, 4 << 20);
        assertEquals(q.inMemory(sql, slice), drained.rows());
        assertEquals(drained.work().outputCount(), drained.work().retrievedCount(), sql);
      }
    }
  }

  @Test
  void aPageLooksAtNoMoreThanItNeeds() {
    for (String sql :
        new String[] {
          "SELECT * FROM c", "SELECT * FROM c WHERE c.n >= 0", "SELECT * FROM c ORDER BY c.n DESC"
        }) {
      var query = io.orrery.query.Queries.compile(sql);
      QueryChunk chunk =
          q.chunk(query, QueryFixture.ALL, QueryFixture.wantOf(query), null, 10, 4 << 20);
      assertEquals(10, chunk.rows().size());
      assertEquals(10, chunk.work().retrievedCount());
    }
  }

  @Test
  void theSameQueryCostsTheSame() {
    var query = io.orrery.query.Queries.compile("SELECT * FROM c WHERE c.city = 'c07'");
    QueryChunk first = q.chunk(query, QueryFixture.ALL, Want.ROWS, null, 100, 4 << 20);
    QueryChunk second = q.chunk(query, QueryFixture.ALL, Want.ROWS, null, 100, 4 << 20);
    assertEquals(first.charge(), second.charge());
    QueryChunk all =
        q.chunk(
            io.orrery.query.Queries.compile("SELECT * FROM c"),
            QueryFixture.ALL,
            Want.ROWS,
            null,
            1_000,
            4 << 20);
    assertTrue(all.charge().units() > 10 * first.charge().units(), all.charge().toString());
  }
}
