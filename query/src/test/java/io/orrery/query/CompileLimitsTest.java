package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading and checking a text takes time that grows with its length alone. */
class CompileLimitsTest {
  /** Many times what the longest text takes on a busy machine, a fraction of what squares take. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  record Text(String name, String query) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Text> texts() {
    String many = "1,".repeat(100_000) + "1";
    return Stream.of(
        new Text("a string of quotes without an end", "SELECT '" + "\\'".repeat(250_000)),
        new Text("two kinds of quotes", "SELECT " + "'\\'\"\\\"".repeat(80_000)),
        new Text("a surrogate pair before", "SELECT VALUE ['\uD83D\uDE00'," + many + "]"),
        new Text("a function of sharp s", "SELECT VALUE " + "\u00DF".repeat(250_000) + "(1)"),
        new Text(
            "ranges of ranges", "SELECT 1 FROM c WHERE c.n" + " BETWEEN 1 AND 1".repeat(30_000)),
        new Text("values for values", "SELECT VALUE 1" + " ?? 1 OR 1".repeat(40_000)),
        new Text("choices of choices", "SELECT VALUE 1" + " ? 1 : 1 OR 1".repeat(30_000)),
        new Text("objects of doubled members", doubled(60)),
        new Text(
            "deep arrays beside a group",
            "SELECT "
                + "[".repeat(240)
                + many
                + "]".repeat(240)
                + " AS x, COUNT(1) AS n FROM c GROUP BY c.x"),
        new Text(
            "options of a distance",
            "SELECT * FROM c ORDER BY VECTORDISTANCE(c.v, [1], false, {distanceFunction: '"
                + "a".repeat(200_000)
                + "' LIKE '%"
                + "a".repeat(100_000)
                + "b'})"));
  }

  /** The path leads through as many objects, each of which has the member twice. */
  private static String doubled(int levels) {
    String rows = "(SELECT VALUE {a: 1} FROM c) r";
    for (int i = 0; i < levels; i++) {
      rows = "(SELECT VALUE {a: r.a, a: r.a} FROM " + rows + ") r";
    }
    return "SELECT VALUE r FROM " + rows + " ORDER BY r.a";
  }

  @ParameterizedTest
  @MethodSource("texts")
  void readsLongTexts(Text text) {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          try {
            Queries.compile(text.query);
          } catch (QueryRefused e) {
            assertEquals(QueryRefused.Kind.QUERY, e.kind(), e.message());
          }
        });
  }

  @Test
  void namesTheQuoteThatIsNotClosed() {
    var refused = assertThrows(QueryRefused.class, () -> Queries.compile("SELECT 'abc FROM c"));
    assertEquals("Syntax error, incorrect syntax near '''.", refused.message());
    assertEquals(
        "Span[start=7, end=8]", String.valueOf(refused.errors().getFirst().at()), "the quote");
  }

  @Test
  void countsUnitsOfTheTextInPlaces() {
    var refused =
        assertThrows(QueryRefused.class, () -> Queries.compile("SELECT '\uD83D\uDE00', x FROM c"));
    assertEquals("Span[start=13, end=14]", String.valueOf(refused.errors().getFirst().at()));
  }

  @Test
  void takesLongConjunctionsOfRanges() {
    String ranges =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "c.n" + i + " BETWEEN 0 AND 1")
            .collect(Collectors.joining(" AND "));
    Queries.compile("SELECT * FROM c WHERE " + ranges);
  }

  @Test
  void refusesWhatIsNoScoreInsideOfRrf() {
    assertThrows(
        QueryRefused.class, () -> Queries.compile("SELECT * FROM c ORDER BY RANK RRF(c.a, c.b)"));
  }

  @Test
  void takesTheDistanceFunctionThatAParameterNames() {
    var near = item("near", 1);
    var far = item("far", 9);
    Value euclidean = new Value.Obj(Map.of("distanceFunction", Value.of("euclidean")));
    var rows =
        Queries.compile(
                "SELECT VALUE c.id FROM c ORDER BY VECTORDISTANCE(c.v, [0], false, @options)")
            .run(List.of(far, near), Parameters.of(Map.of("@options", euclidean)));
    assertEquals(List.of(Value.of("near"), Value.of("far")), rows);
  }

  private static Value item(String id, long number) {
    return new Value.Obj(Map.of("id", Value.of(id), "v", new Value.Arr(List.of(Value.of(number)))));
  }
}
