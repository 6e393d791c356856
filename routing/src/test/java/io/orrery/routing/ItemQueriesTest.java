package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.FeedScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ItemQueriesTest {
  /** Rows that equal keys make equal. */
  private static final List<String> ORDERED =
      List.of(
          "SELECT c.n FROM c ORDER BY c.n",
          "SELECT c.n FROM c ORDER BY c.n DESC",
          "SELECT c.m FROM c ORDER BY c.m",
          "SELECT c.m FROM c WHERE c.n > 3 ORDER BY c.m DESC",
          "SELECT c.g, c.n FROM c ORDER BY c.g, c.n DESC",
          "SELECT VALUE c.long FROM c ORDER BY c.long",
          "SELECT VALUE c.long FROM c ORDER BY c.long DESC",
          "SELECT TOP 17 VALUE c.n FROM c ORDER BY c.n",
          "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 20",
          "SELECT VALUE c.unindexed.x FROM c ORDER BY c.unindexed.x",
          "SELECT TOP 9 VALUE c.unindexed.x FROM c ORDER BY c.unindexed.x DESC",
          "SELECT VALUE c.unindexed.x FROM c ORDER BY c.unindexed.x OFFSET 30 LIMIT 2000",
          "SELECT VALUE [c.n, t] FROM c JOIN t IN c.t WHERE t > 2 ORDER BY c.n",
          "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n",
          "SELECT DISTINCT VALUE c.long FROM c ORDER BY c.long",
          "SELECT c.g, COUNT(1) AS k, SUM(c.f) AS s, AVG(c.n) AS a FROM c GROUP BY c.g",
          "SELECT c.id, MAX(c.m) AS m FROM c GROUP BY c.id",
          "SELECT VALUE COUNT(1) FROM c",
          "SELECT VALUE MIN(c.m) FROM c WHERE c.n = 2",
          "SELECT VALUE SUM(x) FROM (SELECT DISTINCT VALUE c.n FROM c) x",
          "SELECT VALUE COUNT(1) FROM (SELECT c.g, c.n FROM c GROUP BY c.g, c.n) x");

  /** Rows in an order that depends on the partitions, but not on the pages. */
  private static final List<String> UNORDERED =
      List.of(
          "SELECT VALUE c.id FROM c",
          "SELECT VALUE c.id FROM c WHERE c.n = 3",
          "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
          "SELECT VALUE c.id FROM c ORDER BY c.m",
          "SELECT VALUE c.id FROM c ORDER BY c.m DESC",
          "SELECT VALUE c.id FROM c ORDER BY c.long",
          "SELECT VALUE c.id FROM c ORDER BY c.long DESC, c.longer DESC",
          "SELECT VALUE c.id FROM c ORDER BY c.unindexed.x",
          "SELECT VALUE [c.id, t] FROM c JOIN t IN c.t ORDER BY c.g DESC",
          "SELECT VALUE c.id FROM c WHERE c.g = 'a' AND c.n < 5",
          "SELECT VALUE [c.id, t] FROM c JOIN t IN c.t WHERE t > 1",
          "SELECT DISTINCT VALUE c.n FROM c",
          "SELECT DISTINCT c.g, c.o FROM c",
          "SELECT VALUE c.id FROM c WHERE c.pk IN ('p1', 'p3', 'p7')");

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void oneAndSevenPartitionsGiveTheSameRowsWhateverThePages() {
    List<String> items = items(90);
    try (var one = filled(1, items, QuerySettings.DEFAULT);
        var seven = filled(7, items, QuerySettings.DEFAULT);
        var tiny = filled(7, items, tiny())) {
      for (String query : ORDERED) {
        List<String> expected = one.all(query, -1);
        for (int page : new int[] {-1, 1, 7, 50}) {
          String about = query + ", pages of " + page + ", seed " + seed;
          assertEquals(expected, seven.all(query, page), about);
          assertEquals(expected, tiny.all(query, page), about);
        }
      }
      for (String query : UNORDERED) {
        List<String> expected = one.all(query, -1).stream().sorted().toList();
        for (int page : new int[] {-1, 1, 7, 50}) {
          String about = query + ", pages of " + page + ", seed " + seed;
          assertEquals(expected, seven.all(query, page).stream().sorted().toList(), about);
          assertEquals(expected, tiny.all(query, page).stream().sorted().toList(), about);
        }
        if (!query.contains("DISTINCT")) {
          assertEquals(seven.all(query, -1), seven.all(query, 3), query + ", seed " + seed);
          assertEquals(seven.all(query, -1), tiny.all(query, 1), query + ", seed " + seed);
        }
      }
    }
  }

  @Test
  void generatedQueriesGiveTheSameOnOneAndOnSevenPartitions() {
    List<String> items = items(120);
    try (var one = filled(1, items, QuerySettings.DEFAULT);
        var seven = filled(7, items, tiny())) {
      for (int i = 0; i < 80; i++) {
        String where = " WHERE " + condition(2);
        String query =
            switch (random.nextInt(6)) {
              case 0 -> "SELECT VALUE c.id FROM c" + where;
              case 1 -> "SELECT c.g, COUNT(1) AS k, SUM(c.f) AS s FROM c" + where + " GROUP BY c.g";
              case 2 -> "SELECT VALUE c.n FROM c" + where + " ORDER BY c.n" + direction();
              case 3 -> "SELECT VALUE c.m FROM c" + where + " ORDER BY c.m" + direction();
              case 4 -> "SELECT DISTINCT c.g, c.n FROM c" + where;
              default -> "SELECT VALUE c.unindexed.x FROM c" + where + " ORDER BY c.unindexed.x";
            };
        int page = random.nextInt(1, 40);
        List<String> expected = one.all(query, -1);
        List<String> rows = seven.all(query, page);
        String about = query + ", pages of " + page + ", seed " + seed;
        if (query.contains("ORDER BY") || query.contains("GROUP BY")) {
          assertEquals(expected, rows, about);
        } else {
          assertEquals(expected.stream().sorted().toList(), rows.stream().sorted().toList(), about);
        }
      }
    }
  }

  private String direction() {
    return random.nextBoolean() ? "" : " DESC";
  }

  private String condition(int depth) {
    if (depth > 0 && random.nextBoolean()) {
      String operator = random.nextBoolean() ? " AND " : " OR ";
      return "(" + condition(depth - 1) + operator + condition(depth - 1) + ")";
    }
    return switch (random.nextInt(9)) {
      case 0 -> "c.n = " + random.nextInt(9);
      case 1 -> "c.n >= " + random.nextInt(9);
      case 2 -> "c.g != 'b'";
      case 3 -> "IS_DEFINED(c.m)";
      case 4 -> "NOT (c.m = 1)";
      case 5 -> "c.pk = 'p" + random.nextInt(20) + "'";
      case 6 -> "c.pk IN ('p1', 'p4', 'p9')";
      case 7 -> "ARRAY_CONTAINS(c.t, " + random.nextInt(5) + ")";
      default -> "c.o.a < " + random.nextInt(4);
    };
  }

  @Test
  void topAndOffsetWithoutOrderCountAcrossPartitions() {
    try (var database = filled(5, items(100), QuerySettings.DEFAULT)) {
      for (int page : new int[] {-1, 1, 6}) {
        assertEquals(13, database.all("SELECT TOP 13 * FROM c", page).size());
        assertEquals(9, database.all("SELECT c.id FROM c OFFSET 91 LIMIT 50", page).size());
        assertEquals(
            database.all("SELECT VALUE c.id FROM c", -1).subList(40, 60),
            database.all("SELECT VALUE c.id FROM c OFFSET 40 LIMIT 20", page));
      }
      assertEquals(List.of(), database.all("SELECT TOP 0 * FROM c", -1));
      assertEquals(List.of("{\"$1\":1}"), database.all("SELECT 1", -1));
    }
  }

  @Test
  void aKeyThatTheFilterFixesIsAskedOfOnePartition() {
    try (var database = filled(7, items(100), QuerySettings.DEFAULT)) {
      double all =
          database.answer("SELECT VALUE c.id FROM c WHERE c.n = 3", -1, null).charge().units();
      double one =
          database
              .answer("SELECT VALUE c.id FROM c WHERE c.n = 3 AND c.pk = 'p3'", -1, null)
              .charge()
              .units();
      assertTrue(all > 7 * 2.25, "charge " + all);
      assertTrue(one < 2 * 2.25, "charge " + one);
    }
  }

  @Test
  void pagesGoOnAfterARestart() {
    List<String> items = items(60);
    try (var database = filled(3, items, tiny())) {
      for (String query :
          List.of(
              "SELECT VALUE c.id FROM c",
              "SELECT VALUE c.id FROM c ORDER BY c.n",
              "SELECT VALUE c.id FROM c ORDER BY c.unindexed.x",
              "SELECT c.id, COUNT(1) AS n FROM c GROUP BY c.id")) {
        List<String> expected = database.all(query, -1);
        List<String> rows = new ArrayList<>();
        String token = null;
        do {
          var page = database.page(query, 11, token);
          page.rows().forEach(row -> rows.add(row.utf8()));
          token = page.continuation();
          database.database.restart();
        } while (token != null);
        assertEquals(expected, rows, query);
      }
    }
  }

  @Test
  void continuationsAreShortAndNotToBeForged() {
    try (var database = filled(3, items(40), QuerySettings.DEFAULT)) {
      for (String query :
          List.of(
              "SELECT * FROM c",
              "SELECT * FROM c ORDER BY c.long",
              "SELECT * FROM c ORDER BY c.long, c.longer",
              "SELECT * FROM c ORDER BY c.longer DESC",
              "SELECT * FROM c ORDER BY c.unindexed.x")) {
        String token = null;
        do {
          token = database.page(query, 3, token).continuation();
          assertTrue(token == null || token.length() <= 1_024, query);
        } while (token != null);
      }
      String token =
          Objects.requireNonNull(database.page("SELECT * FROM c", 3, null).continuation());
      for (String forged :
          List.of("x", "", token.substring(1), token.substring(0, token.length() - 2) + "AA")) {
        assertInstanceOf(
            Refusal.BadRequest.class, database.answer("SELECT * FROM c", 3, forged).outcome());
      }
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.answer("SELECT * FROM c ORDER BY c.n", 3, token).outcome());
    }
  }

  @Test
  void aScopeOfOneRangeAnswersForItAlone() {
    List<String> items = items(90);
    try (var database = filled(3, items, QuerySettings.DEFAULT)) {
      long sum = 0;
      for (String range : List.of("0", "1", "2")) {
        var rows =
            database.all("SELECT VALUE COUNT(1) FROM c", -1, new FeedScope.OfRange(range, null));
        assertEquals(1, rows.size());
        sum += Long.parseLong(rows.getFirst());
      }
      assertEquals(90, sum);
      var key = new PartitionKey(List.of(new KeyComponent.Text("p3")));
      var ofKey = database.all("SELECT VALUE c.pk FROM c", -1, new FeedScope.OfKey(key));
      assertFalse(ofKey.isEmpty());
      assertTrue(ofKey.stream().allMatch("\"p3\""::equals));
      assertEquals(
          "[0]",
          database
              .all("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'p1'", -1, new FeedScope.OfKey(key))
              .toString());
    }
  }

  @Test
  void positionsAreThoseOfOneRange() {
    try (var database = filled(3, items(30), QuerySettings.DEFAULT)) {
      Answer answer = database.answer("SELECT * FROM c ORDER BY c.n", -1, null);
      assertNotNull(answer.position());
      var outcome = assertInstanceOf(Outcome.QueryPage.class, answer.outcome());
      assertEquals(30, outcome.rows().size());
      assertNull(outcome.continuation());
      assertTrue(outcome.metrics().retrieved().count() >= 30);
    }
  }

  @Test
  void ranksDependOnTheItemsOfAllPartitions() {
    List<String> items = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      String text = "bird ".repeat(i) + "tree ".repeat(40 - i);
      items.add("{'id':'" + i + "','pk':'p" + i + "','text':'" + text + "'}");
    }
    String query = "SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'bird')";
    try (var one = filled(1, items, QuerySettings.DEFAULT);
        var seven = filled(7, items, tiny())) {
      List<String> expected = one.all(query, -1);
      assertEquals("\"30\"", expected.getFirst());
      assertEquals(expected, seven.all(query, -1));
      assertEquals(expected, seven.all(query, 4));
    }
  }

  @Test
  void computedPropertiesAreVisibleByName() {
    try (var database = new QueriedDatabase(QuerySettings.DEFAULT)) {
      database.create(
          "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
              + "'computedProperties':[{'name':'up','query':'SELECT VALUE UPPER(c.g) FROM c'}]}",
          new Throughput.Manual(30_000));
      database.insert(List.of("{'id':'1','pk':'a','g':'x'}", "{'id':'2','pk':'b','g':'y'}"));
      assertEquals(List.of("\"2\""), database.all("SELECT VALUE c.id FROM c WHERE c.up = 'Y'", -1));
      assertEquals(
          List.of("\"Y\"", "\"X\""),
          database.all("SELECT VALUE c.up FROM c ORDER BY c.up DESC", -1));
      assertTrue(
          database.all("SELECT * FROM c", -1).stream().noneMatch(row -> row.contains("\"up\"")));
    }
  }

  private static QuerySettings tiny() {
    var usual = QuerySettings.DEFAULT;
    return new QuerySettings(
        usual.directory(), 2_000, usual.directoryBytes(), usual.pageTime(), usual.totalTime());
  }

  private static QueriedDatabase filled(
      int partitions, List<String> items, QuerySettings settings) {
    var database = new QueriedDatabase(settings);
    database.create(
        "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},'indexingPolicy':{"
            + "'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/unindexed/*'}],"
            + "'compositeIndexes':[[{'path':'/g'},{'path':'/n','order':'descending'}],"
            + "[{'path':'/long'},{'path':'/longer'}]]}}",
        new Throughput.Manual(partitions * 10_000));
    database.insert(items);
    return database;
  }

  /** Values of n, g, m and long repeat; ids tell equals apart in a way that sorting cannot. */
  private List<String> items(int count) {
    List<String> mixed = List.of("1", "'x'", "null", "true", "[1]", "[]", "2.5", "{'a':1}", "{}");
    List<String> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String length = "é".repeat(90) + "abc".repeat(random.nextInt(30));
      items.add(
          ("{'id':'" + i + "','pk':'p" + random.nextInt(20) + "','n':" + random.nextInt(9))
              + (random.nextInt(4) == 0 ? "" : ",'g':'" + "abc".charAt(random.nextInt(3)) + "'")
              + (random.nextInt(6) == 0 ? "" : ",'m':" + mixed.get(random.nextInt(mixed.size())))
              + (",'long':'" + length + "','longer':'" + length.repeat(5) + "'")
              + (",'f':" + random.nextInt(1000) / 7.0 + ",'o':{'a':" + random.nextInt(3) + "}")
              + (",'unindexed':{'x':" + random.nextInt(40) + "},'t':[1,2,3]}"));
    }
    return items;
  }
}
