package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Cut;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Aggregates over more items than a page has time for: here, a page has none. */
class GroupedPagesTest {
  private static final int ITEMS = 3_000;

  private final QueriedDatabase database =
      new QueriedDatabase(QueriedDatabase.within(Duration.ZERO, QuerySettings.DEFAULT.totalTime()));

  @BeforeEach
  void fill() {
    database.create(TestDatabase.KEYED, new Throughput.Manual(20_000));
    database.insert(
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "{'id':'%d','pk':'p%d','n':%d,'g':%d}".formatted(i, i % 50, i, i % 7))
            .toList());
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** The rows of all pages, and how many pages there were. */
  private record Drained(List<String> rows, int pages) {}

  private Drained drain(String query, int maxItems, Runnable between) {
    List<String> rows = new ArrayList<>();
    int pages = 0;
    String token = null;
    do {
      Outcome.QueryPage page = database.page(query, maxItems, token);
      page.rows().forEach(row -> rows.add(row.utf8()));
      token = page.continuation();
      assertTrue(token == null || token.length() <= 4_096, () -> query);
      assertTrue(++pages < 1_000, query);
      between.run();
    } while (token != null);
    return new Drained(rows, pages);
  }

  @Test
  void aggregatesGoOnFromPageToPage() {
    long sum = (long) ITEMS * (ITEMS - 1) / 2;
    for (Map.Entry<String, String> expected :
        Map.of(
                "SELECT VALUE COUNT(1) FROM c", "" + ITEMS,
                "SELECT VALUE SUM(c.n) FROM c WHERE c.n >= 0", "" + sum,
                "SELECT COUNT(1) AS k, MIN(c.n) AS a, MAX(c.n) AS b FROM c",
                    "{\"k\":" + ITEMS + ",\"a\":0,\"b\":" + (ITEMS - 1) + "}",
                "SELECT VALUE AVG(c.n) FROM c", "" + sum / (double) ITEMS,
                "SELECT VALUE COUNT(1) FROM c WHERE c.pk IN ('p1', 'p2', 'p3')", "180")
            .entrySet()) {
      Drained drained = drain(expected.getKey(), 10, () -> {});
      assertEquals(List.of(expected.getValue()), drained.rows, expected.getKey());
      assertTrue(expected.getKey().contains("IN") || drained.pages > 1, drained.toString());
    }
  }

  @Test
  void fewGroupsTravelAndManyAreGatheredAtOnce() {
    Drained few = drain("SELECT c.g, COUNT(1) AS k FROM c GROUP BY c.g", 3, () -> {});
    assertEquals(7, few.rows.size());
    assertEquals("{\"g\":0,\"k\":429}", few.rows.getFirst());
    assertTrue(few.pages > 3, few.toString());
    assertEquals(ITEMS, drain("SELECT c.n FROM c GROUP BY c.n", 500, () -> {}).rows.size());
  }

  @Test
  void pagesGoOnAfterARestartAndASplit() throws InterruptedException {
    assertEquals(
        List.of("" + ITEMS),
        drain("SELECT VALUE COUNT(1) FROM c", 1, database.database::restart).rows);
    var first = database.page("SELECT VALUE COUNT(1) FROM c", 1, null);
    assertEquals(List.of(), first.rows());
    var elasticity = database.database.database().elasticity();
    var container = elasticity.container(TestDatabase.CONTAINER);
    SplitTest.ended(elasticity.split(container, "0", new Cut.Midpoint(), false));
    List<String> rows = new ArrayList<>();
    String token = first.continuation();
    while (token != null) {
      var page = database.page("SELECT VALUE COUNT(1) FROM c", 1, token);
      page.rows().forEach(row -> rows.add(row.utf8()));
      token = page.continuation();
    }
    assertEquals(List.of("" + ITEMS), rows);
  }

  @Test
  void clientsThatMergeGetTheirPartsPageByPage() {
    Drained counts = drain("SELECT VALUE [{\"item\": COUNT(1)}] FROM c", 10, () -> {});
    assertTrue(counts.pages > 1 && counts.rows.size() == counts.pages, counts.toString());
    long sum = 0;
    for (String row : counts.rows) {
      sum += count(((Value.Arr) Json.parse(row)).items().getFirst());
    }
    assertEquals(ITEMS, sum);

    Drained groups =
        drain(
            "SELECT [{\"item\": c.g}] AS groupByItems, {\"k\": {\"item\": COUNT(1)}} AS payload"
                + " FROM c GROUP BY c.g",
            2,
            database.database::restart);
    Map<String, Long> merged = new TreeMap<>();
    for (String row : groups.rows) {
      var members = ((Value.Obj) Json.parse(row)).members();
      Value payload = value(members.get("payload"), "k");
      merged.merge(String.valueOf(members.get("groupByItems")), count(payload), Long::sum);
    }
    assertEquals(7, merged.size());
    assertEquals(ITEMS, merged.values().stream().mapToLong(Long::longValue).sum());
    assertTrue(groups.rows.size() > 7, groups.toString());
  }

  @Test
  void theContinuationIsGoodForItsQueryOnly() {
    String token = database.page("SELECT VALUE COUNT(1) FROM c", 1, null).continuation();
    for (String other : List.of("SELECT VALUE SUM(c.n) FROM c", "SELECT VALUE c.n FROM c")) {
      assertInstanceOf(Refusal.BadRequest.class, database.answer(other, 1, token).outcome());
    }
  }

  /** What was gathered in one scope would be counted in another. */
  @Test
  void theContinuationIsGoodForItsScopeOnly() {
    String query = "SELECT VALUE COUNT(1) FROM c";
    var one = new FeedScope.OfKey(PartitionKey.of("p1"));
    var other = new FeedScope.OfKey(PartitionKey.of("p2"));
    var page =
        assertInstanceOf(Outcome.QueryPage.class, database.answer(query, 1, null, one).outcome());
    assertNotNull(page.continuation());
    for (FeedScope wrong : List.of(other, new FeedScope.Whole())) {
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.answer(query, 1, page.continuation(), wrong).outcome());
    }
    assertEquals(List.of("60"), database.all(query, 1, one));
  }

  private static long count(Value part) {
    return ((Value.Int64) value(part, "item")).value();
  }

  private static Value value(@Nullable Value object, String name) {
    return object instanceof Value.Obj(var members)
        ? members.getOrDefault(name, Value.UNDEFINED)
        : Value.UNDEFINED;
  }
}
