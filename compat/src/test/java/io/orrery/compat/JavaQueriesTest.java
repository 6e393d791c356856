package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the Java SDK builds on queries: pages, feed ranges, readMany, readAllItems. */
@OneAndFiveRanges
class JavaQueriesTest {
  private static final int ITEMS = 60;
  private static final Map<Deployment, CosmosContainer> FILLED = new ConcurrentHashMap<>();

  private final Deployment deployment;
  private final CosmosContainer container;

  JavaQueriesTest(Deployment deployment) {
    this.deployment = deployment;
    container = FILLED.computeIfAbsent(deployment, JavaQueriesTest::filled);
  }

  /** Ten keys of six items each; {@code n} counts them, {@code g} has three values. */
  private static CosmosContainer filled(Deployment deployment) {
    CosmosContainer made = JavaAccount.of(deployment).container("/pk");
    for (int i = 0; i < ITEMS; i++) {
      made.createItem(Items.item("i" + i, "k" + i % 10).put("n", i).put("g", "g" + i % 3));
    }
    return made;
  }

  private static CosmosQueryRequestOptions options() {
    return new CosmosQueryRequestOptions();
  }

  private List<JsonNode> rows(String query) {
    return container.queryItems(query, options(), JsonNode.class).stream().toList();
  }

  private static List<Integer> numbers(Iterable<? extends JsonNode> rows) {
    var numbers = new ArrayList<Integer>();
    rows.forEach(row -> numbers.add(row.isObject() ? row.get("n").asInt() : row.asInt()));
    return numbers;
  }

  private static List<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  @Test
  void pagesHoldAtMostWhatWasAskedFor() {
    var seen = new ArrayList<Integer>();
    for (var page :
        container.queryItems("SELECT * FROM c", options(), JsonNode.class).iterableByPage(7)) {
      assertTrue(page.getResults().size() <= 7, () -> page.getResults().size() + " rows");
      assertTrue(page.getRequestCharge() > 0);
      seen.addAll(numbers(page.getResults()));
    }
    assertEquals(ITEMS, seen.size());
    assertEquals(new HashSet<>(upTo(ITEMS)), new HashSet<>(seen));
  }

  @Test
  void everyContinuationGoesOnWhereItsPageEnded() {
    for (String query :
        List.of(
            "SELECT * FROM c",
            "SELECT * FROM c WHERE c.n < 50",
            "SELECT * FROM c ORDER BY c.n",
            "SELECT * FROM c ORDER BY c.g DESC",
            "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
            "SELECT TOP 25 * FROM c ORDER BY c.n",
            "SELECT c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 20")) {
      List<Integer> whole = numbers(rows(query));
      assertEquals(whole, resumed(query, 4), query);
    }
  }

  /** Each page by a query of its own, from the continuation of the page before. */
  private List<Integer> resumed(String query, int pageSize) {
    var seen = new ArrayList<Integer>();
    String continuation = null;
    do {
      FeedResponse<JsonNode> page =
          container
              .queryItems(query, options(), JsonNode.class)
              .iterableByPage(continuation, pageSize)
              .iterator()
              .next();
      seen.addAll(numbers(page.getResults()));
      continuation = page.getContinuationToken();
    } while (continuation != null);
    return seen;
  }

  @Test
  void rowsAreSortedAcrossPartitions() {
    assertEquals(upTo(ITEMS), numbers(rows("SELECT * FROM c ORDER BY c.n")));
    assertEquals(
        List.of(59, 58, 57), numbers(rows("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC")));
    assertEquals(List.of(10, 11), numbers(rows("SELECT * FROM c ORDER BY c.n OFFSET 10 LIMIT 2")));
  }

  @Test
  void aggregatesCoverAllPartitions() {
    assertEquals(List.of(ITEMS), numbers(rows("SELECT VALUE COUNT(1) FROM c")));
    assertEquals(1770, rows("SELECT VALUE SUM(c.n) FROM c").getFirst().asInt());
    assertEquals(29.5, rows("SELECT VALUE AVG(c.n) FROM c").getFirst().asDouble());
    assertEquals(
        "{\"least\":0,\"most\":59,\"some\":30}",
        rows("SELECT MIN(c.n) AS least, MAX(c.n) AS most, COUNTIF(c.n < 30) AS some FROM c")
            .getFirst()
            .toString());
    assertEquals(
        List.of("g0:20", "g1:20", "g2:20"),
        rows("SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g").stream()
            .map(row -> row.get("g").asText() + ":" + row.get("n").asInt())
            .sorted()
            .toList());
    assertEquals(3, rows("SELECT DISTINCT c.g FROM c").size());
    assertEquals(
        3,
        rows("SELECT COUNT(1) AS d FROM (SELECT DISTINCT VALUE c.g FROM c)")
            .getFirst()
            .get("d")
            .asInt());
  }

  @Test
  void keyLimitsTheQuery() {
    var ofKey = options().setPartitionKey(new PartitionKey("k3"));
    var query =
        new SqlQuerySpec(
            "SELECT VALUE c.n FROM c WHERE c.n > @least ORDER BY c.n",
            List.of(new SqlParameter("@least", 13)));
    assertEquals(
        List.of(23, 33, 43, 53),
        numbers(container.queryItems(query, ofKey, JsonNode.class).stream().toList()));
    // One partition answers alone what several could not: aggregates in expressions, lists.
    assertEquals(
        List.of(16),
        numbers(
            container
                .queryItems("SELECT VALUE COUNT(1) + 10 FROM c", ofKey, JsonNode.class)
                .stream()
                .toList()));
  }

  @Test
  void readManyFindsEachOfThem() {
    var wanted = new ArrayList<CosmosItemIdentity>();
    for (int i = 0; i < ITEMS; i += 4) {
      wanted.add(new CosmosItemIdentity(new PartitionKey("k" + i % 10), "i" + i));
    }
    wanted.add(new CosmosItemIdentity(new PartitionKey("k1"), "missing"));
    FeedResponse<ObjectNode> found = container.readMany(wanted, ObjectNode.class);
    assertEquals(
        IntStream.range(0, ITEMS).filter(i -> i % 4 == 0).boxed().toList(),
        numbers(found.getResults()).stream().sorted().toList());
    assertTrue(found.getRequestCharge() > 0);
    var one = List.of(new CosmosItemIdentity(new PartitionKey("k7"), "i7"));
    assertEquals(List.of(7), numbers(container.readMany(one, ObjectNode.class).getResults()));
  }

  @Test
  void readManyWorksWhereTheIdIsTheKey() {
    CosmosContainer byId = JavaAccount.of(deployment).container("/id");
    var wanted = new ArrayList<CosmosItemIdentity>();
    for (int i = 0; i < 20; i++) {
      byId.createItem(Items.item("i" + i, "p").put("n", i));
      wanted.add(new CosmosItemIdentity(new PartitionKey("i" + i), "i" + i));
    }
    assertEquals(
        upTo(20),
        numbers(byId.readMany(wanted, ObjectNode.class).getResults()).stream().sorted().toList());
  }

  @Test
  void readAllItemsGivesThoseOfAKey() {
    List<ObjectNode> found =
        container.readAllItems(new PartitionKey("k4"), ObjectNode.class).stream().toList();
    assertEquals(List.of(4, 14, 24, 34, 44, 54), numbers(found));
    assertEquals(
        container.readItem("i4", new PartitionKey("k4"), ObjectNode.class).getItem(),
        found.getFirst());
  }

  @Test
  void feedRangesDivideTheRows() {
    List<FeedRange> ranges = container.getFeedRanges();
    assertEquals(deployment.ranges(), ranges.size());
    var seen = new ArrayList<Integer>();
    for (FeedRange range : ranges) {
      List<JsonNode> part =
          container
              .queryItems(
                  "SELECT * FROM c ORDER BY c.n", options().setFeedRange(range), JsonNode.class)
              .stream()
              .toList();
      assertEquals(numbers(part).stream().sorted().toList(), numbers(part));
      seen.addAll(numbers(part));
    }
    assertEquals(upTo(ITEMS), seen.stream().sorted().toList());
    var ofKey = options().setFeedRange(FeedRange.forLogicalPartition(new PartitionKey("k5")));
    assertEquals(
        List.of(5, 15, 25, 35, 45, 55),
        numbers(container.queryItems("SELECT * FROM c", ofKey, JsonNode.class).stream().toList()));
  }

  @Test
  void prefixOfAHierarchicalKeyLimitsTheQuery() {
    CosmosContainer deep = JavaAccount.of(deployment).container("/a", "/b", "/c");
    for (int i = 0; i < 24; i++) {
      ObjectNode item = Items.item("i" + i, "p").put("n", i);
      deep.createItem(item.put("a", "a" + i % 2).put("b", "b" + i % 3).put("c", "c" + i % 4));
    }
    String query = "SELECT * FROM c ORDER BY c.n";
    var first = options().setPartitionKey(new PartitionKeyBuilder().add("a1").build());
    assertEquals(
        IntStream.range(0, 24).filter(i -> i % 2 == 1).boxed().toList(),
        numbers(deep.queryItems(query, first, JsonNode.class).stream().toList()));
    var second = options().setPartitionKey(new PartitionKeyBuilder().add("a1").add("b2").build());
    assertEquals(
        List.of(5, 11, 17, 23),
        numbers(deep.queryItems(query, second, JsonNode.class).stream().toList()));
    var third =
        options().setPartitionKey(new PartitionKeyBuilder().add("a1").add("b2").add("c1").build());
    assertEquals(
        List.of(5, 17), numbers(deep.queryItems(query, third, JsonNode.class).stream().toList()));
    assertEquals(
        List.of(5, 11, 17, 23),
        numbers(
            deep
                .queryItems(
                    "SELECT * FROM c WHERE c.a = 'a1' AND c.b = 'b2' ORDER BY c.n",
                    options(),
                    JsonNode.class)
                .stream()
                .toList()));
  }

  @Test
  void metricsAreRead() {
    FeedResponse<JsonNode> page =
        container
            .queryItems(
                "SELECT * FROM c WHERE c.n = 3",
                options().setQueryMetricsEnabled(true),
                JsonNode.class)
            .iterableByPage()
            .iterator()
            .next();
    String diagnostics = page.getCosmosDiagnostics().toString();
    assertTrue(diagnostics.contains("retrievedDocumentCount"), diagnostics);
    assertFalse(page.getActivityId().isEmpty());
    assertNull(page.getContinuationToken());
  }

  @Test
  void refusedQueryIsToldWithItsPlace() {
    var refusal = JavaAccount.refused(400, 0, () -> rows("SELECT * FROM c WHERE c.Group = 1"));
    assertTrue(refusal.getShortMessage().contains("SC1001"), refusal::getShortMessage);
  }
}
