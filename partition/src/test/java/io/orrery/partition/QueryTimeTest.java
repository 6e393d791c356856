package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.query.index.IndexedQuery;
import io.orrery.query.syntax.QueryRefused;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries look at their time between items, not only between the stretches they are read in. */
class QueryTimeTest {
  private static final int ITEMS = 200;
  private static final int INDEXED = 12_000;

  private final PartitionFixture p = new PartitionFixture(true);

  @BeforeEach
  void fill() {
    for (int i = 0; i < ITEMS; i++) {
      String json = "{\"id\":\"i%d\",\"pk\":\"a\",\"n\":%d,\"tags\":[%d]}".formatted(i, i, i);
      p.run(new ItemTask.Create(key("a"), item(json)));
    }
  }

  @AfterEach
  void close() {
    p.close();
  }

  private QueryChunk ask(String sql, Want want, QueryBudget budget, long deadlineNanos) {
    CompiledQuery query = Queries.compile(sql);
    return p.partition.query(
        new QueryTask(
            new IndexedQuery(query, Parameters.none().with(budget)),
            QueryFixture.RID,
            QueryFixture.ALL,
            want,
            null,
            10_000,
            4 << 20,
            deadlineNanos));
  }

  @Test
  void chunkEndsWithinAStretchOfItemsWhenItsTimeIsOver() {
    long now = System.nanoTime();
    QueryChunk chunk = ask("SELECT VALUE c.n FROM c", Want.ROWS, QueryBudget.unaccounted(), now);
    assertTrue(chunk.rows().size() < 50, "rows " + chunk.rows().size());
    assertNotNull(chunk.next());
  }

  @Test
  void searchOfTheIndexEndsWhenItsTimeIsOverThoughItFindsNothing() {
    for (int i = 0; i < INDEXED; i++) {
      String name = i % 2 == 0 ? "even" : "odd";
      String json = "{\"id\":\"e%d\",\"pk\":\"a\",\"%s\":1}".formatted(i, name);
      p.run(new ItemTask.Create(key("a"), item(json)));
    }
    long later = System.nanoTime() + 60_000_000_000L;
    try (var budget = QueryBudget.of(Memory.process(), System.nanoTime(), () -> false)) {
      String sql = "SELECT VALUE 1 FROM c WHERE c.even = 1 AND c.odd = 1";
      var refused = assertThrows(QueryRefused.class, () -> ask(sql, Want.ROWS, budget, later));
      assertEquals(QueryRefused.Kind.OUT_OF_TIME, refused.kind());
    }
  }

  /** Few large keys: comparing them takes longer than reading them, and no item comes between. */
  @Test
  void comparisonsOfLargeKeysAreCountedAndEndWithTheQuery() {
    String members =
        IntStream.range(0, 500).mapToObj(i -> "\"m" + i + "\":0,").collect(Collectors.joining());
    for (int i = 0; i < 15; i++) {
      String json = "{\"id\":\"o%d\",\"pk\":\"a\",\"l\":[{%s\"z\":%d}]}".formatted(i, members, i);
      p.run(new ItemTask.Create(key("a"), item(json)));
    }
    long later = System.nanoTime() + 60_000_000_000L;
    String sql = "SELECT VALUE c.id FROM c JOIN t IN c.l";
    QueryChunk read = ask(sql, Want.ROWS, QueryBudget.unaccounted(), later);
    String sorting = sql + " ORDER BY t";
    QueryChunk sorted = ask(sorting, Want.ORDERED, QueryBudget.unaccounted(), later);
    assertEquals(15, sorted.rows().size());
    long more = sorted.work().steps() - read.work().steps();
    assertTrue(more > 15 * 3 * 1_000, more + " steps");
    // Looks at the end of the time come more often than there are items.
    var looks = new AtomicInteger();
    try (var budget =
        QueryBudget.of(Memory.process(), later, () -> looks.incrementAndGet() > ITEMS / 16 + 5)) {
      var refused =
          assertThrows(QueryRefused.class, () -> ask(sorting, Want.ORDERED, budget, later));
      assertEquals(QueryRefused.Kind.OUT_OF_TIME, refused.kind());
    }
  }

  private void refuseSort(QueryBudget budget) {
    long later = System.nanoTime() + 60_000_000_000L;
    String sql = "SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t";
    var refused = assertThrows(QueryRefused.class, () -> ask(sql, Want.ORDERED, budget, later));
    assertEquals(QueryRefused.Kind.OUT_OF_TIME, refused.kind());
  }

  @Test
  void sortIsRefusedWhenItsTimeIsOver() {
    try (var budget = QueryBudget.of(Memory.process(), System.nanoTime(), () -> false)) {
      refuseSort(budget);
    }
  }

  @Test
  void sortEndsWhenItsClientIsGone() {
    try (var budget = QueryBudget.of(Memory.process(), Long.MAX_VALUE / 2, () -> true)) {
      refuseSort(budget);
    }
  }
}
