package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What queries may use of the server, and what policies of the container mean to them. */
class QueryLimitsTest {
  private static final Set<String> FEATURES = Set.of("OrderBy", "NonStreamingOrderBy");
  private static final String KEY = "'partitionKey':{'paths':['/pk'],'kind':'Hash','version':2}";

  private static QueriedDatabase database(String policies, List<String> items) {
    var database = new QueriedDatabase(QuerySettings.DEFAULT);
    database.create("{'id':'c'," + KEY + policies + "}", new Throughput.Manual(30_000));
    database.insert(items);
    return database;
  }

  private static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void memoryOfOneItemsGroupsIsRefusedAndReturned() {
    String item = "{'id':'1','pk':'a','a':" + numbers(200) + "}";
    String[] queries = {
      "SELECT x,y,z,COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a GROUP BY x,y,z",
      "SELECT VALUE ARRAY(SELECT DISTINCT x,y,z FROM x IN c.a JOIN y IN c.a JOIN z IN c.a) FROM c"
    };
    try (var database = database("", List.of(item))) {
      for (String query : queries) {
        var refused =
            assertInstanceOf(
                Refusal.BadQuery.class, database.answer(query, -1, null).outcome(), query);
        assertTrue(
            refused.errorsJson().contains("memory at once")
                || refused.errorsJson().contains("too large"),
            refused.errorsJson());
      }
      assertEquals(List.of("1"), database.all("SELECT VALUE COUNT(1) FROM c", -1));
      assertEquals(0, Memory.process().takenBytes(Memory.Lane.QUERY));
    }
  }

  @Test
  void aLargeRowOfNoItemsIsGiven() {
    String text = "REPLICATE('x', 10000),".repeat(900);
    try (var database = database("", List.of())) {
      var page = database.page("SELECT VALUE [" + text + "1]", 1, null);
      assertEquals(1, page.rows().size());
      assertTrue(page.rows().getFirst().size() > 9_000_000);
    }
  }

  @Test
  void memoryOfParametersIsDrawnBeforeTheyAreParsed() {
    long share = Memory.process().boundBytes(Memory.Lane.QUERY) / 4;
    // An array of zeros takes more than ten times its text.
    String zeros = "[0" + ",0".repeat((int) (Math.max(share, 16 << 20) / 20)) + "]";
    var query = new SqlQuery("SELECT * FROM c WHERE c.n = @p[0]", Map.of("@p", Body.json(zeros)));
    try (var database = database("", List.of("{'id':'1','pk':'a','n':0}"))) {
      var refused =
          assertInstanceOf(
              Refusal.BadQuery.class,
              database
                  .database
                  .answer(
                      new Operation.QueryItems(
                          TestDatabase.CONTAINER,
                          query,
                          new FeedScope.Whole(),
                          PageRequest.FIRST,
                          QueryOptions.ANYWHERE))
                  .outcome());
      assertTrue(refused.errorsJson().contains("of memory at once"), refused.errorsJson());
      assertEquals(0, Memory.process().takenBytes(Memory.Lane.QUERY));
    }
  }

  /** The same query over the same items costs the same, and more where it joins more. */
  @Test
  void combinationsCostUnits() {
    String item = "{'id':'1','pk':'a','a':" + numbers(100) + "}";
    try (var database = database("", List.of(item))) {
      String join = "SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a";
      double plain = units(database, "SELECT VALUE COUNT(1) FROM c");
      double joined = units(database, join);
      assertTrue(joined > plain + 50, plain + " and " + joined);
      assertEquals(joined, units(database, join));
    }
  }

  /** Large keys are read once, and compared again and again. */
  @Test
  void comparisonsOfLargeKeysCostUnits() {
    String policy = ",'indexingPolicy':{'includedPaths':[],'excludedPaths':[{'path':'/*'}]}";
    try (var database = database(policy, largeKeys(60))) {
      String plain = "SELECT VALUE c.id FROM c JOIN t IN c.l";
      double read = units(database, plain);
      for (String query :
          List.of(
              plain + " ORDER BY t",
              "SELECT TOP 60 VALUE c.id FROM c JOIN t IN c.l ORDER BY t",
              "SELECT COUNT(1) AS n FROM c JOIN t IN c.l GROUP BY t",
              "SELECT DISTINCT VALUE t FROM c JOIN t IN c.l")) {
        double units = units(database, query);
        assertTrue(units > read + 10, query + ": " + units + ", and to read them " + read);
        assertEquals(units, units(database, query), query);
      }
      String scalars = plain + " ORDER BY c.n";
      assertTrue(units(database, scalars) < read + 1, () -> units(database, scalars) + "");
    }
  }

  /** Objects of a thousand members that differ in their last, and have one hash. */
  private static List<String> largeKeys(int count) {
    String members =
        IntStream.range(0, 1_000).mapToObj(i -> "'m" + i + "':0,").collect(Collectors.joining());
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              var name = new StringBuilder("z");
              for (int bit = 0; bit < 6; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
              }
              String key = "{" + members + "'" + name + "':0}";
              return "{'id':'" + i + "','pk':'a','n':" + (i * 37 % count) + ",'l':[" + key + "]}";
            })
        .toList();
  }

  private static double units(QueriedDatabase database, String query) {
    var answer = database.answer(query, -1, null);
    assertInstanceOf(Outcome.QueryPage.class, answer.outcome());
    return answer.charge().units();
  }

  @Test
  void vectorsAreComparedAsTheContainerSays() {
    String policy =
        ",'vectorEmbeddingPolicy':{'vectorEmbeddings':[{'path':'/v','dataType':'float32',"
            + "'dimensions':2,'distanceFunction':'euclidean'}]}";
    List<String> items =
        List.of("{'id':'far','pk':'a','v':[9,9]}", "{'id':'near','pk':'a','v':[1,0]}");
    String query = "SELECT VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1,1])";
    try (var database = database(policy, items)) {
      assertEquals(List.of("\"near\"", "\"far\""), database.all(query, -1));
      assertTrue(plan(database, query).contains("\"orderBy\":[\"Ascending\"]"));
    }
    try (var database = database("", items)) {
      assertEquals(List.of("\"far\"", "\"near\""), database.all(query, -1));
      assertTrue(plan(database, query).contains("\"orderBy\":[\"Descending\"]"));
    }
  }

  private static String plan(QueriedDatabase database, String query) {
    var answer =
        database.database.answer(
            new Operation.PlanQuery(
                TestDatabase.CONTAINER, new SqlQuery(query, Map.of()), null, FEATURES));
    return assertInstanceOf(Outcome.QueryPlanned.class, answer.outcome()).plan().bytes().utf8();
  }

  @Test
  void statisticsOfTextsAreThoseOfAllItems() {
    List<String> items =
        List.of(
            "{'id':'red','pk':'a','asked':true,'t':'red'}",
            "{'id':'blue1','pk':'b','asked':true,'t':'blue'}",
            "{'id':'blue2','pk':'c','asked':true,'t':'blue'}",
            "{'id':'4','pk':'d','asked':false,'t':'red'}",
            "{'id':'5','pk':'e','asked':false,'t':'red'}",
            "{'id':'6','pk':'f','asked':false,'t':'red'}");
    try (var database = database("", items)) {
      List<String> rows =
          database.all(
              "SELECT VALUE c.id FROM c WHERE c.asked"
                  + " ORDER BY RANK FullTextScore(c.t, 'red', 'blue')",
              -1);
      assertEquals("\"red\"", rows.getLast());
    }
  }

  @Test
  void halfOfASurrogatePairIsARow() {
    try (var database = database("", List.of("{'id':'1','pk':'a','s':'\uD83D\uDE00'}"))) {
      for (String query :
          List.of(
              "SELECT VALUE LEFT(c.s, 1) FROM c",
              "SELECT DISTINCT VALUE LEFT(c.s, 1) FROM c",
              "SELECT VALUE MAX(LEFT(c.s, 1)) FROM c")) {
        assertEquals(List.of("\"\\uD83D\""), database.all(query, -1), query);
      }
    }
  }
}
