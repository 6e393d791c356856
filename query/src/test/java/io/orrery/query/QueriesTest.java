package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.function.LikePattern;
import io.orrery.query.function.Work;
import io.orrery.query.syntax.QueryError;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.Span;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueriesTest {
  private static final Value ITEM =
      Cases.value(
          """
          {"id":"1","n":10,"f":1.5,"s":"abc","t":true,"z":null,"a":[1,2,3],
           "kids":[{"name":"x","age":1},{"name":"y","age":2}],"o":{"p":{"q":7}}}\
          """);

  private static String rows(String text) {
    return rows(text, Map.of());
  }

  private static String rows(String text, Map<String, Value> parameters) {
    List<Value> rows = Queries.compile(text).rows(ITEM, Parameters.of(parameters));
    return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8);
  }

  private static String value(String expression) {
    return rows("SELECT VALUE " + expression + " FROM c");
  }

  private static QueryError refusal(String text) {
    return assertThrows(QueryRefused.class, () -> Queries.compile(text)).errors().getFirst();
  }

  @Test
  void projectsNamesAndNumbersUnnamedItems() {
    assertEquals(
        "[{\"q\":7,\"$1\":11,\"x\":\"abc\",\"$2\":1,\"c\":10}]",
        rows("SELECT c.o.p.q, c.n + 1, c.s AS x, c.a[0], c.missing, c.n c FROM c"));
  }

  @Test
  void likeTakesALiteralThatIsGroupedByAsWell() {
    CompiledQuery query =
        Queries.compile("SELECT VALUE 'a%' LIKE 'a!%' ESCAPE '!' FROM c GROUP BY 'a!%', '!'");
    assertEquals(List.of(Value.TRUE), query.run(List.of(ITEM), Parameters.none()));
  }

  @Test
  void aggregatesOverNothingHaveNoItem() {
    CompiledQuery query =
        Queries.compile(
            "SELECT COUNT(1) AS n, ARRAY(SELECT VALUE x FROM x IN c.a) AS a FROM c WHERE c.n > 10");
    assertEquals(
        List.of(Cases.value("{\"n\":0,\"a\":[]}")), query.run(List.of(ITEM), Parameters.none()));
  }

  @Test
  void selectsTheWholeItemOrAPartOfIt() {
    assertEquals("[[1,2,3]]", rows("SELECT * FROM c.a"));
    assertEquals("[1,2,3]", rows("SELECT * FROM x IN c.a"));
    assertEquals("[]", rows("SELECT * FROM c.missing"));
    assertEquals("[{\"q\":7}]", rows("SELECT VALUE p FROM c.o[\"p\"]"));
  }

  @Test
  void joinIsACrossProductWithinTheItem() {
    assertEquals(
        "[\"x1\",\"x3\",\"y1\",\"y3\"]".length(),
        rows("SELECT VALUE k.name || \"1\" FROM c JOIN k IN c.kids JOIN n IN c.a WHERE n != 2")
            .length());
    assertEquals(
        "[{\"name\":\"y\",\"m\":4}]",
        rows(
            "SELECT k.name, m FROM c JOIN k IN c.kids JOIN (SELECT VALUE k.age * 2) m WHERE m ="
                + " 4"));
  }

  @Test
  void logicHasThreeValues() {
    assertEquals("[false]", value("c.missing AND false"));
    assertEquals("[]", value("c.missing AND true"));
    assertEquals("[true]", value("c.n OR true"));
    assertEquals("[]", value("NOT c.n"));
    assertEquals("[false]", value("c.n = 'x'"));
    assertEquals("[]", value("c.n = c.missing"));
    assertEquals("[]", value("c.n < 'x'"));
    assertEquals("[]", value("[1] < [2]"));
  }

  @Test
  void operatorsBindAsDocumented() {
    assertEquals("[7]", value("1 + 2 * 3"));
    assertEquals("[true]", value("c.n & 2 = 2"));
    assertEquals("[true]", value("NOT c.n = 11"));
    assertEquals("[true]", value("c.n BETWEEN 1 AND 20 AND c.s LIKE 'a%'"));
    assertEquals("[\"ab\"]", value("false ? 1 : 'a' || 'b'"));
    assertEquals("[null]", value("c.z ?? 1"));
    assertEquals("[2]", value("c.missing ?? c.n >> 2"));
    assertEquals("[-2147483648]", value("2147483648 | 0"));
    assertEquals("[true]", value("c.n NOT IN (1, 2) AND c.n IN (10.0)"));
  }

  @Test
  void subqueriesBecomeValues() {
    assertEquals("[true]", value("EXISTS(SELECT VALUE k FROM k IN c.kids WHERE k.age > 1)"));
    assertEquals("[false]", value("EXISTS(SELECT VALUE undefined)"));
    assertEquals("[true]", value("EXISTS(SELECT undefined)"));
    assertEquals("[[2,4,6]]", value("ARRAY(SELECT VALUE n * 2 FROM n IN c.a)"));
    assertEquals("[6]", value("(SELECT VALUE SUM(n) FROM n IN c.a)"));
    assertEquals("[true]", value("ALL(SELECT VALUE n > 0 FROM n IN c.a)"));
    assertEquals("[1]", value("FIRST(SELECT VALUE n FROM n IN c.a)"));
    assertEquals("[3]", value("LAST(SELECT VALUE n FROM n IN c.a)"));
    assertEquals(
        "[[1,2]]",
        value("ARRAY(SELECT DISTINCT VALUE n / n * k.age FROM n IN c.a JOIN k IN c.kids)"));
    assertThrows(QueryRefused.class, () -> value("(SELECT VALUE n FROM n IN c.a)"));
  }

  @Test
  void parametersStandWhereScalarsDo() {
    assertEquals(
        "[\"abc\"]",
        rows(
            "SELECT VALUE c[@p] FROM c WHERE c.n = @n AND c.s LIKE @l ESCAPE '!'",
            Map.of("@p", Value.of("s"), "@n", Value.of(10), "@l", Value.of("a_c"))));
  }

  @Test
  void bigIntegersKeepTheirDigits() {
    assertEquals("[false]", value("9007199254740993 = 9007199254740992"));
    assertEquals("[true]", value("9007199254740993 > 9007199254740992.0"));
    assertEquals("[-9223372036854775808]", value("-9223372036854775808"));
  }

  @Test
  void errorsCarryCodeAndPlace() {
    assertEquals(
        new QueryError("SC1001", "Syntax error, incorrect syntax near 'Group'.", new Span(24, 29)),
        refusal("SELECT * FROM c WHERE c.Group=\"API\""));
    assertEquals(
        new QueryError("SC1002", "Syntax error, unexpected end-of-file.", new Span(21, 21)),
        refusal("SELECT * FROM c WHERE"));
    assertEquals("SC2001", refusal("SELECT * FROM Root r WHERE a = 1").code());
    assertEquals(new Span(25, 26), refusal("SELECT '\uD83D\uDE00' FROM c WHERE ]").at());
  }

  @Test
  void deepNestingIsRefusedQuickly() {
    for (String nested :
        List.of(
            "(".repeat(5000) + "1" + ")".repeat(5000),
            "NOT ".repeat(5000) + "true",
            "- ".repeat(5000) + "1",
            "[".repeat(5000),
            "true ? 1 : ".repeat(5000) + "1",
            "1" + " + 1".repeat(5000),
            "c" + ".a".repeat(5000),
            "(SELECT VALUE ".repeat(1000) + "1" + ")".repeat(1000))) {
      assertTimeoutPreemptively(
          Duration.ofSeconds(10),
          () -> assertThrows(QueryRefused.class, () -> Queries.compile("SELECT VALUE " + nested)));
    }
    assertThrows(QueryRefused.class, () -> Queries.compile("SELECT '" + "x".repeat(600_000) + "'"));
  }

  @Test
  void longHexadecimalNumbersAreReadInLinearTime() {
    assertEquals("[true]", value("0x20000000000000000 = 36893488147419103232"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> assertEquals("[true]", value("0x" + "f".repeat(500_000) + " > 1")));
  }

  @Test
  void longFlatFiltersAreServed() {
    String filter = "c.n = 10" + " OR (c.n = 1 AND c.s = 'x')".repeat(10_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertEquals("[true]", rows("SELECT VALUE true FROM c WHERE " + filter)));
    String vector = "[" + "-0.25, ".repeat(4000) + "1]";
    assertEquals("[1]", value(vector + "[4000]"));
  }

  @Test
  void likeNeedsNoBacktracking() {
    LikePattern pattern = LikePattern.compile("%a".repeat(50) + "b", -1);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertFalse(pattern.matches("a".repeat(20_000), Work.UNCOUNTED)));
    assertTrue(LikePattern.compile("[a-c]_[^x]![%", '!').matches("bzy[anything", Work.UNCOUNTED));
  }

  @Test
  void conditionsDecideAboutOneItem() {
    assertTrue(Predicate.compile("from c where c.n = 10").test(ITEM, QueryBudget.unaccounted()));
    assertFalse(Predicate.compile("FROM c WHERE c.n > 10").test(ITEM, QueryBudget.unaccounted()));
    assertThrows(QueryRefused.class, () -> Predicate.compile("where true"));
  }

  @Test
  void compiledQueriesAreRemembered() {
    assertSame(Queries.compile("SELECT * FROM c"), Queries.compile("SELECT * FROM c"));
    assertTrue(Queries.compile("SELECT * FROM c").isItemwise());
    assertFalse(Queries.compile("SELECT TOP 1 * FROM c").isItemwise());
    assertFalse(Queries.compile("SELECT VALUE COUNT(1) FROM c").isItemwise());
  }

  @Test
  void subqueryThatComesFirstSeesTheWholeContainer() {
    List<Value> items =
        List.of(Cases.value("{\"g\":1}"), Cases.value("{\"g\":2}"), Cases.value("{\"g\":1}"));
    assertEquals(
        List.of(Value.of(2)),
        Queries.compile("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.g FROM c)")
            .run(items, Parameters.none()));
    assertEquals(
        List.of(Value.of(3)),
        Queries.compile(
                "SELECT VALUE r.n + 1 FROM (SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g) r"
                    + " WHERE r.g = 1")
            .run(items, Parameters.none()));
  }

  @Test
  void valuesThatMultiplyAreRefused() {
    for (String doubling :
        List.of(
            "[x%d, x%d]",
            "{a: x%d, b: x%d}",
            "CONCAT(x%d, x%d)",
            "ARRAY_CONCAT(x%d, x%d)",
            "x%d || x%d",
            "REPLACE(x%d, 'a', x%d)")) {
      String start = doubling.startsWith("ARRAY") ? "c.a" : "REPLICATE('a', 5000)";
      StringBuilder query = new StringBuilder("SELECT VALUE x30 FROM c");
      query.append(" JOIN (SELECT VALUE ").append(start).append(") x0");
      for (int i = 1; i <= 30; i++) {
        String next = doubling.replace("%d", Integer.toString(i - 1));
        query.append(" JOIN (SELECT VALUE ").append(next).append(") x").append(i);
      }
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> assertThrows(QueryRefused.class, () -> rows(query.toString()), query.toString()));
    }
  }

  @Test
  void endlessCrossProductsEndWithThePatience() {
    StringBuilder query = new StringBuilder("SELECT VALUE 1 FROM c");
    for (int i = 0; i < 40; i++) {
      query.append(" JOIN x").append(i).append(" IN c.a");
    }
    query.append(" WHERE false");
    var budget = QueryBudget.of(Memory.process(), System.nanoTime() + 200_000_000, () -> false);
    Parameters impatient = Parameters.none().with(budget);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            assertThrows(
                QueryRefused.class, () -> Queries.compile(query.toString()).rows(ITEM, impatient)));
  }
}
