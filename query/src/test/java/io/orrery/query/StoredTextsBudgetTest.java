package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text of a stored item is made each time it is read: a query that reads it often is bounded. */
class StoredTextsBudgetTest {
  private static final String TEXT = '"' + "x".repeat(1 << 20) + '"';
  private static final Value ITEM = item();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Memory memory = Memory.ofHeap(256L << 20);

  private static Value item() {
    String json =
        """
        {"id":"1","t":%s,"l":[%s],"o":{"m":%s},"e":[%s]}\
        """
            .formatted(TEXT, TEXT, TEXT, "[],".repeat(200_000) + "[]");
    return RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  private List<Value> run(CompiledQuery query) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (var budget = QueryBudget.of(memory, deadline, () -> false)) {
      return query.run(List.of(ITEM), Parameters.none().with(budget));
    } finally {
      assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
    }
  }

  private List<Value> run(String query) {
    return run(Queries.compile(query));
  }

  /** How many rows a partition gives. */
  private int rows(String query) {
    int[] rows = {0};
    try (var budget = QueryBudget.of(memory, Long.MAX_VALUE, () -> false)) {
      Queries.compile(query)
          .rows(Parameters.none().with(budget))
          .each(ITEM, (row, keys) -> ++rows[0] > 0);
    }
    return rows[0];
  }

  /** Refused before much more was allocated than a query may hold. */
  private void assertRefusedEarly(String query) {
    CompiledQuery compiled = Queries.compile(query);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    assertThrows(QueryRefused.class, () -> run(compiled));
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < 64L << 20, () -> allocated + " bytes for " + query);
  }

  private static String repeated(String part, int times, String separator) {
    return IntStream.range(0, times)
        .mapToObj(i -> part.replace("#", Integer.toString(i)))
        .collect(Collectors.joining(separator));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c.t",
        "c['t']",
        "c.o.m",
        "c.l[0]",
        "ARRAY_CONCAT(c.l, [])",
        "ARRAY_CONCAT(c.e, [])",
        "ARRAY_SLICE(c.l, 0)",
        "ARRAY_SLICE(c.e, 1)",
        "ARRAY_MAX(c.l)",
        "OBJECTTOARRAY(c.o)",
        "SETUNION(c.l, [])",
        "SETINTERSECT(c.l, c.l)",
        "(SELECT VALUE x FROM x IN c.l)",
        "FIRST(SELECT VALUE x FROM x IN c.l)",
        "IIF(true, c.t, 1)",
        "(c.missing ?? c.t)",
      })
  void textsThatLiveTogetherAreDrawnTogether(String expression) {
    String query = "SELECT VALUE ARRAY_LENGTH([%s]) FROM c";
    assertEquals(List.of(Value.of(1)), run(query.formatted(expression)));
    assertThrows(QueryRefused.class, () -> run(query.formatted(repeated(expression, 100, ", "))));
  }

  @Test
  void textsOfComputedContainersAreDrawn() {
    CompiledQuery query =
        Queries.compile(
            "SELECT VALUE ARRAY_LENGTH([%s]) FROM c".formatted(repeated("c.t", 100, ", ")));
    var computed =
        new ComputedProperties(Map.of("lower", Queries.compile("SELECT VALUE LOWER(c.id) FROM c")));
    assertThrows(QueryRefused.class, () -> run(query.with(computed)));
  }

  @Test
  void argumentsOfOneCallAreDrawn() {
    assertRefusedEarly(
        "SELECT VALUE LENGTH(CONCAT(%s)) FROM c".formatted(repeated("c.t", 100, ", ")));
  }

  @Test
  void inputsOfOneRowAreDrawn() {
    assertRefusedEarly("SELECT VALUE 1 FROM c " + repeated("JOIN x# IN c.l", 50, " "));
  }

  @Test
  void rowOfManyPartsIsRefused() {
    assertEquals(1, rows("SELECT " + repeated("c.t AS a#", 4, ", ") + " FROM c"));
    for (String part : List.of("c.t AS a#", "c.l AS a#", "c.o AS a#", "c AS a#")) {
      assertThrows(
          QueryRefused.class, () -> rows("SELECT " + repeated(part, 100, ", ") + " FROM c"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"c.t", "c.l", "c.o"})
  void keysOfOneGroupAreDrawn(String key) {
    String keys = repeated(key, 100, ", ");
    assertRefusedEarly("SELECT COUNT(1) FROM c GROUP BY " + keys);
    assertRefusedEarly(
        "SELECT VALUE ARRAY(SELECT COUNT(1) FROM x IN c.l GROUP BY " + keys + ") FROM c");
  }

  @Test
  void whatIsDoneIsReturned() {
    assertEquals(
        List.of(Value.of(1)),
        run(
            "SELECT VALUE 1 FROM c WHERE "
                + repeated("CONTAINS(c.t, 'y#')", 100, " OR ")
                + " OR true"));
    assertEquals(
        List.of(Value.of(100L << 20)),
        run("SELECT VALUE " + repeated("LENGTH(c.t)", 100, " + ") + " FROM c"));
    assertEquals(
        List.of(Value.of(1)),
        run(
            "SELECT VALUE 1 FROM c WHERE "
                + repeated("EXISTS(SELECT VALUE 1 FROM x IN c.l)", 100, " AND ")));
  }

  @Test
  void textThatWasReadOnceIsDrawnOnce() {
    assertEquals(
        List.of(Value.of(100)),
        run(
            "SELECT VALUE ARRAY_LENGTH([%s]) FROM c JOIN x IN c.l"
                .formatted(repeated("x", 100, ", "))));
  }
}
