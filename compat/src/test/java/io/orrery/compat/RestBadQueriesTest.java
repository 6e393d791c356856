package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that nobody should ask: answered or refused, in bounded time, and the server lives. */
class RestBadQueriesTest {
  private static final Set<Integer> ANSWERS = Set.of(200, 400, 408, 413);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int TEXTS = Integer.getInteger("bad.queries", 400);
  private static final String LONG = "a".repeat(20_000);

  private static final class Filled {
    static final RestContainer CONTAINER = fill();

    private static RestContainer fill() {
      RestContainer made = RestContainer.create(Deployment.HTTP_FIVE_RANGES);
      String numbers =
          IntStream.range(0, 60).mapToObj(Integer::toString).collect(Collectors.joining(","));
      for (int i = 0; i < 5; i++) {
        String item =
            ("{\"id\":\"i" + i + "\",\"pk\":\"k" + i + "\",\"list\":[" + numbers + "],")
                + ("\"long\":\"" + LONG + "!\"}");
        made.rest().post(made.docs(), item).key("[\"k" + i + "\"]").send().expect(201);
      }
      return made;
    }
  }

  private final RestContainer container = Filled.CONTAINER;

  private RestAnswer ask(String query) {
    return bounded(RestQuery.across(container, query));
  }

  private static RestAnswer bounded(Rest.Request request) {
    long start = System.nanoTime();
    RestAnswer answer = request.send();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(ANSWERS.contains(answer.status()), () -> answer.status() + " " + answer.text());
    assertTrue(took.compareTo(PATIENCE) < 0, took::toString);
    if (answer.status() != 200) {
      answer.refused(answer.status(), 0);
    }
    return answer;
  }

  @AfterEach
  void serverAnswersAsBefore() {
    RestAnswer count = RestQuery.across(container, "SELECT VALUE COUNT(1) FROM c").send();
    assertEquals("[5]", count.expect(200).json().get("Documents").toString());
  }

  @Test
  void generatedTextIsAnsweredInTime() {
    long seed = Long.getLong("bad.seed", System.nanoTime());
    System.out.println("-Dbad.seed=" + seed + " repeats this run");
    var random = new Random(seed);
    List<String> queries =
        SqlCase.lines("sql-parse-cases.jsonl").stream()
            .map(row -> row.get("query").asText())
            .filter(text -> text.length() < 2_000)
            .toList();
    for (int i = 0; i < TEXTS; i++) {
      String text = queries.get(random.nextInt(queries.size()));
      ask(random.nextInt(3) == 0 ? soup(random) : spoilt(random, text));
    }
  }

  private static final List<String> WORDS =
      List.of(
          "SELECT",
          "*",
          "FROM",
          "c",
          "WHERE",
          "VALUE",
          "JOIN",
          "IN",
          "c.list",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          "'x'",
          "\"",
          "1",
          "1e999",
          "0x",
          "-",
          "+",
          "@p",
          "AND",
          "OR",
          "NOT",
          "LIKE",
          "ESCAPE",
          "BETWEEN",
          "ORDER BY",
          "GROUP BY",
          "TOP",
          "OFFSET",
          "LIMIT",
          "EXISTS",
          "ARRAY",
          "COUNT(1)",
          "udf.f()",
          "??",
          "?",
          ":",
          ",",
          ".",
          "null",
          "undefined",
          "--",
          "/*",
          "\\u0000",
          "RANK",
          "RRF",
          "\u53f0",
          "\ud83d\ude00",
          "DISTINCT",
          "AS",
          "IS_DEFINED(c)",
          "<<",
          "||");

  private static String soup(Random random) {
    return Stream.generate(() -> WORDS.get(random.nextInt(WORDS.size())))
        .limit(1 + random.nextInt(40))
        .collect(Collectors.joining(random.nextBoolean() ? " " : ""));
  }

  private static String spoilt(Random random, String text) {
    var spoilt = new StringBuilder(text);
    for (int i = random.nextInt(4); i >= 0 && !spoilt.isEmpty(); i--) {
      int at = random.nextInt(spoilt.length());
      switch (random.nextInt(4)) {
        case 0 -> spoilt.deleteCharAt(at);
        case 1 -> spoilt.insert(at, WORDS.get(random.nextInt(WORDS.size())));
        case 2 -> spoilt.setCharAt(at, (char) (' ' + random.nextInt(95)));
        default -> spoilt.setLength(at);
      }
    }
    return spoilt.toString();
  }

  @Test
  void longQueriesAreBounded() {
    String list = "1,".repeat(150_000);
    assertEquals(200, ask("SELECT * FROM c WHERE c.n IN (" + list + "0)").status());
    String blanks = " ".repeat(512 * 1024);
    assertEquals(400, ask("SELECT * FROM c" + blanks).status());
    assertEquals(400, ask("SELECT '" + "x".repeat(600 * 1024) + "'").status());
    assertEquals(413, ask("SELECT '" + "x".repeat(4 << 20) + "'").status());
    String names = "c.a = 1 OR ".repeat(40_000);
    ask("SELECT * FROM c WHERE " + names + "c.b = 2");
    ask("SELECT * FROM c WHERE " + "a".repeat(500_000));
    ask("SELECT " + "c.a, ".repeat(80_000) + "c.b FROM c");
  }

  static Stream<String> nested() {
    int deep = 5_000;
    return Stream.of(
        "(".repeat(deep) + "1" + ")".repeat(deep),
        "[".repeat(deep) + "]".repeat(deep),
        "{'a':".repeat(deep) + "1" + "}".repeat(deep),
        "NOT ".repeat(deep) + "true",
        "-".repeat(deep) + "1",
        "- ".repeat(deep) + "1",
        "~".repeat(deep) + "1",
        "ABS(".repeat(deep) + "1" + ")".repeat(deep),
        "(SELECT VALUE ".repeat(deep) + "1" + ")".repeat(deep),
        "EXISTS(SELECT ".repeat(deep) + "1" + ")".repeat(deep),
        "true ? ".repeat(deep) + "1" + " : 2".repeat(deep),
        "c" + ".a".repeat(deep),
        "c" + "[0]".repeat(deep),
        "c" + "[c".repeat(deep) + "]".repeat(deep),
        "1" + " + 1".repeat(deep),
        "1" + " ?? 1".repeat(deep),
        "'a'" + " || 'a'".repeat(deep),
        "(".repeat(deep));
  }

  @ParameterizedTest
  @MethodSource("nested")
  void nestingIsBounded(String expression) {
    ask("SELECT VALUE " + expression + " FROM c");
    ask("SELECT * FROM c WHERE " + expression);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c.long LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%b'",
        "c.long LIKE '%_%_%_%_%_%_%_%_%_%_%b'",
        "c.long LIKE '%[a-z]%[a-z]%[a-z]%[a-z]%[0-9]'",
        "RegexMatch(c.long, '(a+)+$')",
        "RegexMatch(c.long, '(a|aa)+$')",
        "RegexMatch(c.long, '(a*)*b')",
        "RegexMatch(c.long, '^(([a-z])+.)+[A-Z]([a-z])+$')",
        "RegexMatch(c.long, '(.*){1,32000}[bc]')",
        "RegexMatch(c.long, '((((((((a{1,100}){1,100}){1,100}){1,100}')",
        "RegexMatch(c.long, '[')",
        "CONTAINS(UPPER(REPLICATE(c.long, 3)), 'B')"
      })
  void patternsThatExplodeAreBounded(String filter) {
    ask("SELECT VALUE COUNT(1) FROM c WHERE " + filter);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE COUNT(1) FROM c JOIN a IN c.list JOIN b IN c.list JOIN d IN c.list JOIN e IN"
            + " c.list JOIN f IN c.list JOIN g IN c.list JOIN h IN c.list",
        "SELECT VALUE 1 FROM c JOIN a IN c.list JOIN b IN c.list JOIN d IN c.list WHERE a = -1",
        "SELECT a, b, d FROM c JOIN a IN c.list JOIN b IN c.list JOIN d IN c.list",
        "SELECT DISTINCT a, b FROM c JOIN a IN c.list JOIN b IN c.list",
        "SELECT a, b, COUNT(1) FROM c JOIN a IN c.list JOIN b IN c.list GROUP BY a, b",
        "SELECT ARRAY(SELECT a, b, d, e FROM a IN c.list JOIN b IN c.list JOIN d IN c.list JOIN e"
            + " IN c.list) FROM c",
        "SELECT VALUE MAKELIST({a: a, b: b, d: d, l: c.long}) FROM c JOIN a IN c.list JOIN b IN"
            + " c.list JOIN d IN c.list",
        "SELECT VALUE ARRAY_CONCAT(c.list, ARRAY(SELECT VALUE c.long FROM a IN c.list JOIN b IN"
            + " c.list JOIN d IN c.list)) FROM c",
        "SELECT VALUE CONCAT(x, x, x, x, x, x, x, x) FROM (SELECT VALUE CONCAT(y, y, y, y, y, y, y,"
            + " y, y) FROM (SELECT VALUE CONCAT(c.long, c.long, c.long, c.long, c.long) FROM c) AS"
            + " y) AS x"
      })
  void crossProductsAreBounded(String query) {
    ask(query);
  }

  @Test
  void wrongParametersAreRefusedOrUndefined() {
    for (String parameters :
        List.of("{}", "[1]", "[{}]", "[{\"name\":1}]", "\"x\"", "true", "[[\"@a\"]]")) {
      var body = Items.parse("{\"query\":\"SELECT @a FROM c\",\"parameters\":" + parameters + "}");
      bounded(RestQuery.over(container, body)).refused(400, 0);
    }
    for (String value : List.of("\"x\"", "-1", "1.5", "1e30", "null", "[1]", "{}")) {
      for (String query :
          List.of(
              "SELECT TOP @a * FROM c",
              "SELECT * FROM c OFFSET @a LIMIT 1",
              "SELECT * FROM c OFFSET 0 LIMIT @a")) {
        var body =
            Items.parse(
                "{\"query\":\""
                    + query
                    + "\",\"parameters\":[{\"name\":\"@a\",\"value\":"
                    + value
                    + "}]}");
        bounded(
                RestQuery.over(container, body)
                    .header("x-ms-documentdb-query-enablecrosspartition", "true"))
            .refused(400, 0);
      }
    }
    assertEquals(400, ask("SELECT TOP @missing * FROM c").status());
    assertEquals(
        "[]", ask("SELECT * FROM c WHERE c.id = @missing").json().get("Documents").toString());
  }
}
