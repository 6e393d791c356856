package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of every size put together are the rows of one run over all items. */
class QueryPagingTest {
  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM c",
          "SELECT VALUE c.id FROM c WHERE c.n > 3",
          "SELECT c.id, t FROM c JOIN t IN c.tags",
          "SELECT VALUE c.id FROM c WHERE c.pk = 'a' AND c.n < 5",
          "SELECT VALUE c.id FROM c ORDER BY c.v",
          "SELECT VALUE c.id FROM c ORDER BY c.v DESC",
          "SELECT VALUE [c.id, c.v] FROM c WHERE c.n > 2 ORDER BY c.v DESC",
          "SELECT c.id, t FROM c JOIN t IN c.tags ORDER BY c.n DESC",
          "SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t DESC",
          "SELECT VALUE c.id FROM c ORDER BY c.n",
          "SELECT VALUE c.id FROM c WHERE c.n = 4 ORDER BY c.id DESC",
          "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
          "SELECT VALUE SUM(c.n) FROM c WHERE c.v > 1",
          "SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.v)",
          "SELECT VALUE c.id FROM c WHERE c.v != 2",
          "SELECT VALUE c.id FROM c WHERE c._ts > 0 ORDER BY c._ts DESC");

  private static final List<String> VALUES =
      List.of(
          "1",
          "2",
          "2.5",
          "-3",
          "null",
          "true",
          "false",
          "\"x\"",
          "\"" + "y".repeat(1200) + "1\"",
          "\"" + "y".repeat(1200) + "0\"",
          "\"" + "y".repeat(1200) + "0\"",
          "[2,1]",
          "[1,3]",
          "{\"a\":2}",
          "{\"a\":1}",
          "9007199254740993",
          "9007199254740992",
          "9007199254740993");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pagesOfEverySizeGiveTheSameRows(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      fill(p);
      var q = new QueryFixture(p);
      for (String sql : QUERIES) {
        List<String> expected = q.inMemory(sql);
        assertTrue(expected.size() > 0, sql);
        for (int size : new int[] {1, 2, 3, 7, 10, 1000}) {
          assertEquals(expected, q.drain(sql, size).rows(), sql + " by " + size);
        }
        assertEquals(expected, q.drain(sql, QueryFixture.ALL, 1000, 700).rows(), sql + " by bytes");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slicesGiveTheirOwnRows(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      fill(p);
      p.run(new ItemTask.DeleteAll(key("c")));
      var q = new QueryFixture(p);
      EffectivePartitionKey epk = key("b").epk();
      List<FeedSlice> slices =
          List.of(
              QueryFixture.ALL,
              new FeedSlice.OneKey(key("a")),
              new FeedSlice.OneKey(key("c")),
              new FeedSlice.OneKey(key("absent")),
              new FeedSlice.Range(new EpkRange(EffectivePartitionKey.MIN, epk)),
              new FeedSlice.Range(new EpkRange(epk, EffectivePartitionKey.MAX)),
              new FeedSlice.Range(new EpkRange(epk, new EffectivePartitionKey(epk.hex() + "0"))));
      for (FeedSlice slice : slices) {
        for (String sql : QUERIES) {
          List<String> expected = q.inMemory(sql, slice);
          for (int size : new int[] {1, 4, 1000}) {
            assertEquals(expected, q.drain(sql, slice, size, 4 << 20).rows(), sql + " in " + slice);
          }
        }
      }
    }
  }

  /** Values of every type, several of each, some longer than an index term, some missing. */
  private static void fill(PartitionFixture p) {
    for (int i = 0; i < 60; i++) {
      String pk = List.of("a", "b", "c").get(i % 3);
      String value = i % 7 == 6 ? "" : ",\"v\":" + VALUES.get(i * 5 % VALUES.size());
      String tags = i % 4 == 0 ? "[]" : i % 4 == 1 ? "[\"r\",\"g\",\"b\"]" : "[\"r\"," + i + "]";
      p.run(
          new ItemTask.Create(
              key(pk),
              item(
                  "{\"id\":\"i%02d\",\"pk\":\"%s\",\"n\":%d,\"tags\":%s%s}"
                      .formatted(i, pk, i % 8, tags, value))));
    }
  }
}
