package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Precondition;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries beside writes: items that stand still are found, each once, and in order. */
class QueryRaceTest {
  private static final int STILL = 200;
  private static final int BARE = 5;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itemsThatNobodyTouchesAreFoundOnceAndInOrder(boolean repeatable)
      throws InterruptedException {
    try (var p = new PartitionFixture(repeatable)) {
      for (int i = 0; i < STILL; i++) {
        put(p, "still", i, i % 10);
      }
      for (int i = 0; i < BARE; i++) {
        p.run(
            new ItemTask.Create(
                key("bare"), item("{\"id\":\"bare%d\",\"pk\":\"bare\"}".formatted(i))));
      }
      var stop = new AtomicBoolean();
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    var random = new Random(1);
                    while (!stop.get()) {
                      put(p, "moving", random.nextInt(50), random.nextInt(10));
                      p.run(
                          new ItemTask.Delete(
                              key("moving"),
                              new Target.Id("moving" + random.nextInt(50)),
                              Precondition.NONE));
                    }
                  });
      var q = new QueryFixture(p);
      for (int round = 0; round < 30; round++) {
        check(q, "SELECT VALUE [c.n, c.id] FROM c WHERE c.n >= 0", false);
        check(q, "SELECT VALUE [c.n, c.id] FROM c ORDER BY c.n", true);
        checkBare(q, "SELECT VALUE c.id FROM c ORDER BY c.n");
        checkBare(q, "SELECT VALUE c.id FROM c ORDER BY c.n DESC");
        check(q, "SELECT VALUE [-c.n, c.id] FROM c WHERE c.n >= 0 ORDER BY c.n DESC", true);
      }
      stop.set(true);
      writer.join();
    }
  }

  private static void checkBare(QueryFixture q, String sql) {
    List<String> rows = q.drain(sql, 7).rows();
    assertEquals(BARE, rows.stream().filter(row -> row.contains("bare")).count(), sql);
  }

  private static void check(QueryFixture q, String sql, boolean ordered) {
    List<String> rows =
        q.drain(sql, 7).rows().stream().filter(row -> !row.contains("bare")).toList();
    List<String> still = rows.stream().filter(row -> row.contains("still")).toList();
    assertEquals(STILL, still.size(), sql);
    assertEquals(STILL, new HashSet<>(still).size(), sql);
    if (ordered) {
      List<Integer> keys = rows.stream().map(QueryRaceTest::first).toList();
      assertTrue(keys.equals(keys.stream().sorted().toList()), () -> sql + rows);
    }
  }

  private static int first(String row) {
    return Integer.parseInt(row.substring(1, row.indexOf(',')));
  }

  private static void put(PartitionFixture p, String pk, int i, int n) {
    p.run(
        new ItemTask.Upsert(
            key(pk),
            item("{\"id\":\"%s%d\",\"pk\":\"%s\",\"n\":%d}".formatted(pk, i, pk, n)),
            Precondition.NONE));
  }
}
