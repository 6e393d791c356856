package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Precondition;
import io.orrery.storage.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where reads do not repeat, items that match all the time are found, whatever else changes. */
class QueryBesideWritesTest {
  private final Thread reader = Thread.currentThread();
  private Runnable change = () -> {};

  /** Changes between any two reads of the query, not of the writer. */
  private final PartitionFixture p =
      new PartitionFixture(
          new MovingStore(
              new MemoryStorage(false).open(new PartitionId(7)),
              () -> {
                if (Thread.currentThread().equals(reader)) {
                  change.run();
                }
              }),
          UniqueKeys.NONE);

  private final QueryFixture q = new QueryFixture(p);

  @AfterEach
  void close() {
    p.close();
  }

  @Test
  void anItemWithoutTheSortKeyStaysWhenOthersGo() {
    put("without", "");
    for (int i = 0; i < 40; i++) {
      put("with" + i, ",\"n\":" + i);
    }
    var gone = new int[1];
    change = () -> delete("with" + gone[0]++);
    for (String order : List.of("", " DESC")) {
      List<String> rows = q.drain("SELECT VALUE c.id FROM c ORDER BY c.n" + order, 50).rows();
      assertEquals(1, rows.stream().filter("\"without\""::equals).count(), rows.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c.n >= 0",
        "c.a = 1 OR c.b = 1",
        "c.n >= 0 AND (c.a = 1 OR c.b = 1)",
        "NOT IS_DEFINED(c.gone) AND c.n >= 0",
        "IS_DEFINED(c.n)",
        "c.n IN (1, 2, 3, 4, 5, 6, 7, 8, 9)"
      })
  void itemsThatMatchAllTheTimeAreFoundWhereverTheyMove(String filter) {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var expected = new TreeSet<String>();
    for (int i = 0; i < 60; i++) {
      move(random, i);
      expected.add("\"i" + i + '"');
    }
    change = () -> move(random, random.nextInt(60));
    for (int pageRows : new int[] {3, 20, 100}) {
      for (String order : List.of("", " ORDER BY c.none")) {
        String sql = "SELECT VALUE c.id FROM c WHERE " + filter + order;
        for (int round = 0; round < 10; round++) {
          List<String> rows = q.drain(sql, pageRows).rows();
          assertEquals(expected, new TreeSet<>(rows), sql + ", seed " + seed);
          assertEquals(60, rows.size(), sql + ", seed " + seed);
        }
      }
    }
  }

  @Test
  void anItemThatBecomesPartlyIndexedKeepsItsPlaceInTheOrder() {
    for (int i = 0; i < 40; i++) {
      put("i" + i, ",\"z\":" + i);
    }
    var many = new StringBuilder();
    for (int i = 0; i < 10_100; i++) {
      many.append(",\"m").append(i).append("\":0");
    }
    var reads = new int[1];
    change =
        () -> {
          if (++reads[0] == 6) {
            put("i30", many + ",\"z\":30");
          }
        };
    var expected = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      expected.add("\"i" + i + '"');
    }
    assertEquals(expected, q.drain("SELECT VALUE c.id FROM c ORDER BY c.z", 100).rows());
  }

  private void move(Random random, int i) {
    boolean a = random.nextBoolean();
    put("i" + i, ",\"n\":%d,\"%s\":1".formatted(1 + random.nextInt(9), a ? "a" : "b"));
  }

  private void put(String id, String members) {
    p.run(
        new ItemTask.Upsert(
            key("k"),
            item("{\"id\":\"" + id + "\",\"pk\":\"k\"" + members + "}"),
            Precondition.NONE));
  }

  private void delete(String id) {
    p.run(new ItemTask.Delete(key("k"), new Target.Id(id), Precondition.NONE));
  }
}
