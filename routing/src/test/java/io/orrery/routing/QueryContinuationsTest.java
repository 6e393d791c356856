package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Cut;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A continuation is good for its query, and stays good when the index changes. */
class QueryContinuationsTest {
  private static final String INDEXED =
      TestDatabase.KEYED.replace(
          "'id':'c'",
          "'id':'c','indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':[]}");
  private static final String UNINDEXED =
      INDEXED.replace("'excludedPaths':[]", "'excludedPaths':[{'path':'/n/?'},{'path':'/long/?'}]");

  private final QueriedDatabase database = new QueriedDatabase(QuerySettings.DEFAULT);

  @BeforeEach
  void fill() {
    database.create(INDEXED, new Throughput.Manual(30_000));
    var random = new Random(7);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      items.add(
          "{'id':'i%02d','pk':'p%d','n':%d,'m':%d,'long':'%s'}"
              .formatted(i, i % 9, random.nextInt(8), i, "x".repeat(90) + random.nextInt(4)));
    }
    database.insert(items);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theContinuationOfAnotherQueryIsRefused() {
    List<String> queries =
        List.of(
            "SELECT VALUE c.id FROM c",
            "SELECT VALUE c.m FROM c",
            "SELECT VALUE c.id FROM c WHERE c.n > 1",
            "SELECT VALUE c.id FROM c ORDER BY c.n",
            "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
            "SELECT VALUE c.id FROM c ORDER BY c.m",
            "SELECT TOP 50 VALUE c.id FROM c ORDER BY c.m",
            "SELECT DISTINCT VALUE c.m FROM c",
            "SELECT c.m, COUNT(1) AS k FROM c GROUP BY c.m");
    for (String query : queries) {
      String token = Objects.requireNonNull(database.page(query, 7, null).continuation(), query);
      assertFalse(token.contains(";"), token);
      for (String other : queries) {
        if (!other.equals(query)) {
          var answered = database.answer(other, 7, token).outcome();
          assertInstanceOf(Refusal.BadRequest.class, answered, () -> query + " / " + other);
        }
      }
    }
  }

  @Test
  void parametersArePartOfTheQuery() {
    String query = "SELECT VALUE c.id FROM c WHERE c.n >= @least";
    var first = assertInstanceOf(Outcome.QueryPage.class, withLeast(query, 0, null));
    String token = Objects.requireNonNull(first.continuation());
    assertInstanceOf(Outcome.QueryPage.class, withLeast(query, 0, token));
    assertInstanceOf(Refusal.BadRequest.class, withLeast(query, 1, token));
  }

  /** As clients do that merge by themselves: they go on behind the last keys that they gave. */
  @Test
  void anOrderedQueryGoesOnWithAnotherFilter() {
    String query = "SELECT VALUE c.id FROM c WHERE (%s) ORDER BY c.m";
    var first = database.page(query.formatted("true"), 10, null);
    var rest = database.page(query.formatted("c.m >= 5"), 100, first.continuation());
    assertEquals(50, rest.rows().size());
  }

  @Test
  void anIndexThatComesOrGoesBetweenPagesChangesNothing() {
    for (String query :
        List.of(
            "SELECT VALUE c.id FROM c ORDER BY c.n",
            "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
            "SELECT VALUE c.id FROM c ORDER BY c.long",
            "SELECT VALUE c.id FROM c WHERE c.m < 40 ORDER BY c.n OFFSET 3 LIMIT 30",
            "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n",
            "SELECT TOP 33 VALUE c.id FROM c ORDER BY c.n")) {
      List<String> expected = database.all(query, -1);
      for (int changes = 1; changes <= 3; changes++) {
        replaceDefinition(changes % 2 == 0 ? UNINDEXED : INDEXED);
        List<String> rows = new ArrayList<>();
        String token = null;
        int pages = 0;
        do {
          var page = database.page(query, 4, token);
          page.rows().forEach(row -> rows.add(row.utf8()));
          token = page.continuation();
          pages++;
          replaceDefinition((changes + pages / changes) % 2 == 0 ? UNINDEXED : INDEXED);
        } while (token != null);
        assertEquals(expected, rows, query);
      }
      replaceDefinition(INDEXED);
    }
  }

  /** A restart loses what was kept for the next page: the result is made again. */
  @Test
  void aResultThatIsMadeAgainAfterSplitsAndMergesGoesOnWhereItWas() throws Exception {
    for (String query :
        List.of(
            "SELECT DISTINCT VALUE c.m FROM c",
            "SELECT DISTINCT c.n, c.pk FROM c",
            "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n, c.pk",
            "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.long")) {
      List<String> expected = database.all(query, -1);
      List<String> rows = new ArrayList<>();
      String token = null;
      int pages = 0;
      do {
        var page = database.page(query, 5, token);
        page.rows().forEach(row -> rows.add(row.utf8()));
        token = page.continuation();
        database.database.restart();
        reshape(pages++);
      } while (token != null);
      assertEquals(expected, rows, query);
    }
  }

  /** Splits a range or merges two, in turn. */
  private void reshape(int turn) throws InterruptedException {
    Elasticity elasticity = database.database.database().elasticity();
    var container = elasticity.container(TestDatabase.CONTAINER);
    var ranges =
        assertInstanceOf(
                Outcome.Ranges.class,
                database.database.outcome(
                    new Operation.ReadPartitionKeyRanges(TestDatabase.CONTAINER, null)))
            .ranges();
    int some = turn % (ranges.size() - 1);
    String left = ranges.get(some).id();
    String right = ranges.get(some + 1).id();
    SplitTest.ended(
        turn % 2 == 0
            ? elasticity.split(container, left, new Cut.Midpoint(), false)
            : elasticity.merge(container, List.of(left, right), false));
  }

  @Test
  void aTokenTooLongToBeOneIsRefused() {
    for (int length : new int[] {17, 1_000, 1_000_000}) {
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.answer("SELECT * FROM c", 5, "A".repeat(length)).outcome());
    }
  }

  /** Behind a balancer the next page may be asked of another node. */
  @Test
  void aKeptResultIsReadWhereItIsKept() {
    try (var nodes = new TestNodes(3)) {
      nodes.outcome(0, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
      nodes.outcome(
          0,
          new Operation.CreateContainer(
              new io.orrery.operation.DatabaseRef("d"),
              TestDatabase.json(UNINDEXED),
              new Throughput.Manual(50_000)));
      for (int i = 0; i < 40; i++) {
        put(nodes, i, 2 * i);
      }
      String query = "SELECT VALUE c.n FROM c ORDER BY c.n";
      List<String> rows = new ArrayList<>();
      String token = null;
      int page = 0;
      do {
        var given = pageOf(nodes, page % 3, query, token);
        given.rows().forEach(row -> rows.add(row.utf8()));
        token = given.continuation();
        // Would push others to later pages, were the result made again.
        put(nodes, 100 + page, -1);
        page++;
      } while (token != null);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        expected.add(Integer.toString(2 * i));
      }
      assertEquals(expected, rows);

      // The node that keeps it goes: the result is made again.
      token = pageOf(nodes, 1, query, null).continuation();
      nodes.expel(1);
      var again = pageOf(nodes, 2, query, token);
      assertTrue(again.rows().size() == 7, again.toString());
    }
  }

  private static void put(TestNodes nodes, int i, int n) {
    var scope =
        new io.orrery.operation.ItemScope(
            TestDatabase.CONTAINER, io.orrery.operation.PartitionKey.of("p" + i));
    var body = TestDatabase.json("{'id':'i%d','pk':'p%d','n':%d}".formatted(i, i, n));
    assertInstanceOf(
        Outcome.ItemCreated.class, nodes.outcome(0, new Operation.CreateItem(scope, body)));
  }

  private static Outcome.QueryPage pageOf(
      TestNodes nodes, int node, String query, @Nullable String token) {
    return assertInstanceOf(
        Outcome.QueryPage.class, nodes.outcome(node, request(query, Map.of(), 7, token)));
  }

  private Outcome withLeast(String query, int least, @Nullable String token) {
    var parameters = Map.of("@least", Body.json(Integer.toString(least)));
    return database.database.outcome(request(query, parameters, 7, token));
  }

  private static Operation request(
      String query, Map<String, Body> parameters, int rows, @Nullable String token) {
    return new Operation.QueryItems(
        TestDatabase.CONTAINER,
        new SqlQuery(query, parameters),
        new FeedScope.Whole(),
        new PageRequest(rows, token),
        QueryOptions.ANYWHERE);
  }

  private void replaceDefinition(String definition) {
    assertInstanceOf(
        Outcome.ResourceReplaced.class,
        database.database.outcome(
            new Operation.ReplaceContainer(
                TestDatabase.CONTAINER, TestDatabase.json(definition), Precondition.NONE)));
  }
}
