package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The work of comparing large shapes, in counted steps: no clock decides these tests. */
class SpatialLimitsTest {
  private static final int CORNERS = 4_000;

  /** All pairs of edges would be 16 million, and four steps each where distances are measured. */
  private static final long STEPS = 2_000_000;

  /** Far more looks at the time than everything but the comparison makes. */
  private static final int LOOKS = 100;

  private static final String CIRCLE = polygon(ring(CORNERS, 0, i -> 10));

  /** Corners around a place, a radius for each; the first one is the last one, too. */
  private static String ring(int corners, double longitude, IntToDoubleFunction radius) {
    return IntStream.rangeClosed(0, corners)
        .mapToObj(
            i -> {
              int corner = i % corners;
              double angle = 2 * Math.PI * corner / corners;
              double reach = radius.applyAsDouble(corner);
              return position(longitude + reach * Math.cos(angle), reach * Math.sin(angle));
            })
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String position(double longitude, double latitude) {
    return "[" + longitude + "," + latitude + "]";
  }

  private static String shape(String type, String coordinates) {
    return "{\"type\":\"" + type + "\",\"coordinates\":" + coordinates + "}";
  }

  private static String polygon(String ring) {
    return shape("Polygon", "[" + ring + "]");
  }

  /** Slivers that run side by side from corner to corner of one box. */
  private static String slivers(double offset) {
    return IntStream.range(0, CORNERS / 4)
        .mapToObj(
            i -> {
              double at = i * 1e-5 + offset;
              String start = position(at, 0);
              String end = position(1 + at, 1) + "," + position(1 + at + 1e-6, 1);
              return "[[" + start + "," + end + "," + start + "]]";
            })
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static List<Value> run(String call, String p, String q, QueryBudget budget) {
    var item = LimitsTest.limit(call, "", "p", p, "q", q).item();
    return Queries.compile("SELECT VALUE " + call + "(c.p, c.q) FROM c")
        .run(List.of(new Value.Obj(item)), Parameters.none().with(budget));
  }

  private static QueryBudget budget(BooleanSupplier cancelled) {
    long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    return QueryBudget.of(Memory.ofHeap(1L << 30), deadline, cancelled);
  }

  /** Compares the circle with another one. */
  private static Value fewSteps(String call, double longitude, double radius) {
    try (var budget = budget(() -> false)) {
      String other = polygon(ring(CORNERS, longitude, i -> radius));
      Value found = run(call, CIRCLE, other, budget).getFirst();
      assertTrue(budget.steps() < STEPS, budget.steps() + " steps");
      return found;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ST_WITHIN, 0, 11, true",
    "ST_WITHIN, 0, 9, false",
    "ST_INTERSECTS, 0, 11, true",
    "ST_INTERSECTS, 20.1, 10, false"
  })
  void circlesAreComparedInFewSteps(
      String call, double longitude, double radius, boolean expected) {
    assertEquals(Value.of(expected), fewSteps(call, longitude, radius));
  }

  @Test
  void theDistanceOfCirclesIsFoundInFewSteps() {
    assertEquals(11_132, ((Value.Num) fewSteps("ST_DISTANCE", 20.1, 10)).asDouble(), 1);
  }

  /** The time is over after so many looks at it. */
  private static void assertEndsWithTime(String call, String p, String q) {
    var looks = new AtomicInteger();
    try (var budget = budget(() -> looks.incrementAndGet() > LOOKS)) {
      var refused = assertThrows(QueryRefused.class, () -> run(call, p, q, budget));
      assertEquals(QueryRefused.Kind.OUT_OF_TIME, refused.kind());
    }
  }

  @Test
  void edgesThatAreAllNearEachOtherEndWithTheTimeOfTheQuery() {
    String left = shape("MultiPolygon", slivers(0));
    String right = shape("MultiPolygon", slivers(0.5e-5));
    assertEndsWithTime("ST_INTERSECTS", left, right);
  }

  @Test
  void cornersThatAreAllAsFarFromEveryEdgeEndWithTheTimeOfTheQuery() {
    String centre =
        IntStream.range(0, CORNERS)
            .mapToObj(i -> position(0, 0))
            .collect(Collectors.joining(",", "[", "]"));
    String around = shape("LineString", ring(CORNERS, 0, i -> 10));
    assertEndsWithTime("ST_DISTANCE", shape("MultiPoint", centre), around);
  }

  @Test
  void ringsThatCrossEachOtherEverywhereEndWithTheTimeOfTheQuery() {
    String teeth = polygon(ring(CORNERS, 0, i -> i % 2 == 0 ? 10 : 9));
    String across = polygon(ring(CORNERS / 2, 0, i -> 9.9));
    assertEndsWithTime("ST_WITHIN", across, teeth);
  }
}
