package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything whose cost grows with its input, at its limit: {@code docs/limits.md} lists it. */
class LimitsTest {
  private static final Memory MEMORY = Memory.ofHeap(256L << 20);
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Ten times the time that a query has, and then some for busy machines. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String NUMBERS = numbers(200);
  static final String LONG = text("a", 1 << 20);

  record Limit(String name, String query, Map<String, Value> item) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Limit limit(String name, String query, Object... members) {
    StringBuilder json = new StringBuilder("{\"id\":\"1\"");
    for (int i = 0; i < members.length; i += 2) {
      json.append(",\"").append(members[i]).append("\":").append(members[i + 1]);
    }
    byte[] bytes = json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    return new Limit(name, query, ((Value.Obj) RawJson.of(bytes)).members());
  }

  static String text(String part, int times) {
    return '"' + part.repeat(times) + '"';
  }

  static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Texts of one hash: every choice between Aa and BB has the same. */
  static String collisions(int bits) {
    return IntStream.range(0, 1 << bits)
        .mapToObj(
            number ->
                IntStream.range(0, bits)
                    .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                    .collect(Collectors.joining("", "\"", "\"")))
        .collect(Collectors.joining(",", "[", "]"));
  }

  static String polygon(int corners, double radius) {
    return IntStream.rangeClosed(0, corners)
        .mapToObj(
            i -> {
              double angle = 2 * Math.PI * (i % corners) / corners;
              return "[" + radius * Math.cos(angle) + "," + radius * Math.sin(angle) + "]";
            })
        .collect(Collectors.joining(",", "{\"type\":\"Polygon\",\"coordinates\":[[", "]]}"));
  }

  static Stream<Limit> limits() {
    List<Limit> all = new ArrayList<>();
    addMemory(all);
    addLetterCase(all);
    addTexts(all);
    addCollisions(all);
    addArrays(all);
    SmallQueries.addShared(all);
    SmallQueries.addSmallSteps(all);
    return all.stream();
  }

  private static void addMemory(List<Limit> all) {
    all.add(
        limit(
            "groups of one item",
            "SELECT x,y,z,COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a"
                + " GROUP BY x,y,z",
            "a",
            NUMBERS));
    all.add(
        limit(
            "nested groups",
            "SELECT VALUE ARRAY(SELECT x,y,z,COUNT(1) FROM x IN c.a JOIN y IN c.a JOIN z IN c.a"
                + " GROUP BY x,y,z) FROM c",
            "a",
            NUMBERS));
    all.add(
        limit(
            "nested distinct",
            "SELECT VALUE COUNT(1) FROM c JOIN (SELECT DISTINCT x,y,z FROM x IN c.a JOIN y IN c.a"
                + " JOIN z IN c.a) d",
            "a",
            NUMBERS));
    all.add(
        limit(
            "array of texts",
            "SELECT VALUE ARRAY_LENGTH(["
                + IntStream.range(0, 200)
                    .mapToObj(i -> "CONCAT(x,'" + i + "')")
                    .collect(Collectors.joining(","))
                + "]) FROM c JOIN (SELECT VALUE CONCAT(c.t,c.t,c.t,c.t)) x",
            "t",
            LONG));
    all.add(
        limit("joins", "SELECT VALUE COUNT(1) FROM c " + joins(8) + " WHERE x0 < 0", "a", NUMBERS));
  }

  private static void addLetterCase(List<Limit> all) {
    for (String part : List.of("\u00DF", "\u0130", "\u03A3", "\uFB03")) {
      String million = text(part, 1 << 20);
      for (String call :
          List.of(
              "UPPER(c.t)",
              "LOWER(c.t)",
              "CONTAINS(c.t, 'x', true)",
              "STARTSWITH(c.t, 'x', true)",
              "ENDSWITH(c.t, 'x', true)",
              "STRINGEQUALS(c.t, 'x', true)",
              "CONTAINS_ALL_CI(c.t, 'x', 'y')",
              "FULLTEXTCONTAINS(c.t, 'x')")) {
        all.add(
            limit(
                call + " of " + part,
                "SELECT VALUE LENGTH(" + call + ") ?? 0 FROM c",
                "t",
                million));
      }
    }
  }

  private static void addTexts(List<Limit> all) {
    String half = text("a", 1 << 19).replaceFirst(".$", "b\"");
    for (String call :
        List.of(
            "CONTAINS(c.t, c.p)",
            "INDEX_OF(c.t, c.p)",
            "LASTINDEXOF(c.t, CONCAT('b', c.p))",
            "REPLACE(c.t, c.p, 'x')",
            "STRINGSPLIT(c.t, c.p)",
            "STRINGSPLIT(c.t, 'a')",
            "REPLACE(c.t, 'a', 'aaaaaaaaaaaaaaaaaaaaaaa')",
            "TRIM(c.t, c.p)",
            "c.t LIKE CONCAT('%', c.p)",
            "c.t LIKE CONCAT('%', REPLACE(c.p, 'a', '_'))",
            "REGEXMATCH(c.t, '(a*)*b')",
            "REGEXMATCH(c.t, '(?:(?:^{999}){999}){999}')",
            "REGEXMATCH(c.t, c.p)",
            "STRINGTOARRAY(CONCAT('[', REPLACE(c.t, 'a', '[],'), '[]]'))",
            "TOSTRING(STRINGSPLIT(c.t, 'a'))",
            "c.t < CONCAT(c.t, 'b')",
            "REVERSE(c.t)")) {
      all.add(limit(call, "SELECT VALUE IS_DEFINED(" + call + ") FROM c", "t", LONG, "p", half));
    }
    all.add(
        limit(
            "phrases",
            "SELECT VALUE FULLTEXTCONTAINS(c.t, c.p) FROM c",
            "t",
            text("a ", 1 << 19),
            "p",
            text("a ", 1 << 18).replaceFirst(".$", "b\"")));
  }

  private static void addCollisions(List<Limit> all) {
    String colliding = collisions(14);
    all.add(
        limit(
            "colliding groups",
            "SELECT x, COUNT(1) FROM c JOIN x IN c.a GROUP BY x",
            "a",
            colliding));
    for (String call :
        List.of("SETUNION(c.a, c.a)", "SETINTERSECT(c.a, c.a)", "SETDIFFERENCE(c.a, c.a)")) {
      all.add(
          limit(
              "colliding " + call,
              "SELECT VALUE ARRAY_LENGTH(" + call + ") FROM c",
              "a",
              colliding));
    }
  }

  private static void addArrays(List<Limit> all) {
    String many = numbers(200_000);
    for (String call :
        List.of(
            "ARRAY_CONCAT(c.a, c.a)",
            "ARRAY_SLICE(c.a, 1)",
            "ARRAY_MEDIAN(c.a)",
            "SETUNION(c.a, c.a)",
            "ARRAY_CONTAINS_ALL(c.a, " + numbers(2_000).replaceAll("[\\[\\]]", "") + ", -1)",
            "[c.a,1] = [c.a,2]",
            "TOSTRING(c.a)",
            "c.a IN (c.b, [c.a], c.a)")) {
      all.add(
          limit(
              call.substring(0, Math.min(30, call.length())),
              "SELECT VALUE COUNT(1) FROM c JOIN x IN c.b JOIN y IN c.b JOIN z IN c.b WHERE"
                  + " IS_DEFINED("
                  + call
                  + ")",
              "a",
              many,
              "b",
              NUMBERS));
    }
    String object =
        IntStream.range(0, 60_000)
            .mapToObj(i -> "\"" + i + "\":0")
            .collect(Collectors.joining(",", "{", "}"));
    all.add(limit("equal objects", "SELECT VALUE c.p = c.q FROM c", "p", object, "q", object));
    String shapes = polygon(4_000, 10);
    for (String call : List.of("ST_WITHIN", "ST_INTERSECTS", "ST_DISTANCE")) {
      all.add(
          limit(
              call + " of 4,000 corners",
              "SELECT VALUE " + call + "(c.p, c.q) FROM c",
              "p",
              shapes,
              "q",
              polygon(4_000, 11)));
    }
  }

  static String joins(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "JOIN x" + i + " IN c.a")
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void endsWithinItsBudget(Limit limit) {
    CompiledQuery query = Queries.compile(limit.query);
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + TIME_NANOS, () -> false)) {
            query.run(List.of(new Value.Obj(limit.item)), Parameters.none().with(budget));
          } catch (QueryRefused e) {
            assertTrue(e.kind() != QueryRefused.Kind.BUSY, e.message());
          }
        });
    assertEquals(0, MEMORY.takenBytes(Memory.Lane.QUERY));
  }

  private static String refusal(Limit limit) {
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + 20 * TIME_NANOS, () -> false)) {
      Parameters parameters = Parameters.none().with(budget);
      CompiledQuery query = Queries.compile(limit.query);
      return assertThrows(
              QueryRefused.class,
              () -> query.run(List.of(new Value.Obj(limit.item)), parameters),
              limit.name)
          .message();
    }
  }

  @Test
  void memoryOfOneItemIsBounded() {
    limits()
        .limit(4)
        .forEach(
            limit ->
                assertEquals(
                    "The query needs more than 16 MB of memory at once."
                        + " Select, join or group less in one query.",
                    refusal(limit)));
  }

  @Test
  void whatOtherQueriesHoldIsSaidToBeBusy() {
    Memory small = Memory.ofHeap(64L << 20);
    try (var first = QueryBudget.of(small, System.nanoTime() + TIME_NANOS, () -> false);
        var second = QueryBudget.of(small, System.nanoTime() + TIME_NANOS, () -> false)) {
      first.take(10L << 20);
      var refused = assertThrows(QueryRefused.class, () -> second.take(10L << 20));
      assertEquals(QueryRefused.Kind.BUSY, refused.kind());
    }
    assertEquals(0, small.takenBytes(Memory.Lane.QUERY));
  }

  @Test
  void temporaryValuesOfEarlierItemsAreNotHeld() {
    Limit limit =
        limit("scan", "SELECT VALUE LENGTH(CONCAT(c.t, c.t)) FROM c", "t", text("a", 1 << 20));
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + 60 * TIME_NANOS, () -> false)) {
      ItemRows rows = Queries.compile(limit.query).rows(Parameters.none().with(budget));
      for (int i = 0; i < 100; i++) {
        assertTrue(rows.each(new Value.Obj(limit.item), (row, keys) -> true));
      }
      assertEquals(0, budget.takenBytes());
    }
  }

  @Test
  void aClientThatHasGoneEndsItsQuery() {
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + 60 * TIME_NANOS, () -> true)) {
      Limit limit = limits().filter(one -> one.name.equals("joins")).findFirst().orElseThrow();
      var query = Queries.compile(limit.query);
      var refused =
          assertThrows(
              QueryRefused.class,
              () -> query.run(List.of(new Value.Obj(limit.item)), Parameters.none().with(budget)));
      assertEquals(QueryRefused.Kind.OUT_OF_TIME, refused.kind());
    }
  }
}
