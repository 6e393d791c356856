package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that nest as deep as clients may store them, around many numbers: whatever compares or
 * hashes them reads their text for each level, and counts it. The processor's time is held against
 * the steps, which are what is paid for.
 */
class NestedValuesWorkTest {
  private static final Memory MEMORY = Memory.ofHeap(256L << 20);

  /**
   * Each step is well below a microsecond; more than twice that, for busy machines and cold code.
   */
  private static final double NANOS_PER_STEP = 2_000;

  /** So much may pass uncounted: it is what a query without such values takes on such machines. */
  private static final long FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int ROWS = 20;
  private static final Value ITEM = item();

  private static Value item() {
    String ones = "1,".repeat(120_000) + "1";
    String deep = NestedValuesTest.deep(ones, 120);
    String objects = "{\"o\":".repeat(120) + "[" + ones + "]" + "}".repeat(120);
    String json =
        "{\"id\":\"1\",\"a\":[1],\"rows\":[%s1]".formatted("1,".repeat(ROWS - 1))
            + ",\"nested\":[[%s]],\"empties\":[[%s[]]]".formatted(ones, "[],".repeat(80_000))
            + ",\"deep\":%s,\"deep2\":%s,\"deeps\":[%s]".formatted(deep, deep, deep)
            + ",\"objects\":%s,\"objectss\":[%s]".formatted(objects, objects)
            + ",\"round\":%s,\"far\":1}".formatted(LimitsTest.polygon(4_000, 10));
    return RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c.deep = c.deep2",
        "c.deep IN ('a', 1)",
        "c.deep NOT IN (null, 1)",
        "c.objects IN ('a', 1)",
        "c.deep IN ([1], c.deep2)",
        "ARRAY_CONTAINS(c.nested, c.nested[0], true)",
        "ARRAY_CONTAINS(c.empties, c.empties[0], true)",
        "ARRAY_CONTAINS(c.deeps, c.deep)",
        "ARRAY_CONTAINS(c.deeps, c.deep, true)",
        "ARRAY_CONTAINS(c.objectss, c.objects, true)",
        "ARRAY_CONTAINS([c.deep2], c.deep, true)",
        "IS_DEFINED(SETUNION([c.deep], [1]))",
        "IS_DEFINED(SETINTERSECT([c.deep], [c.deep2]))",
        "SETEQUAL([c.deep], [c.deep2])",
        "SETEQUAL(c.nested, [1])",
        "IS_DEFINED((SELECT VALUE MAKESET(c.deep) FROM t IN c.a))",
        "IS_DEFINED((SELECT VALUE MAKESET([c.objects, 1]) FROM t IN c.a))",
        "IS_DEFINED((SELECT VALUE 1 FROM t IN c.a GROUP BY c.deep))",
        "IS_DEFINED((SELECT VALUE 1 FROM t IN c.a GROUP BY [c.objects, 1]))",
        "IS_DEFINED((SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.deep FROM t IN c.a) x))"
      })
  void whatReadsNestedValuesIsCounted(String expression) {
    assertCounted("SELECT VALUE " + expression + " FROM c JOIN t IN c.rows", List.of(ITEM));
  }

  @ParameterizedTest
  @ValueSource(strings = {"c.deep%s", "OBJECTTOARRAY(c)", "c.far", "ST_AREA(c.round)"})
  void whatIsSearchedInStoredTextIsCounted(String expression) {
    String query = "SELECT VALUE IS_DEFINED(" + expression + ") FROM c JOIN t IN c.rows";
    assertCounted(query.formatted("[0]".repeat(100)), List.of(ITEM));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT VALUE c.deep FROM c",
        "SELECT DISTINCT VALUE [c.objects, 1] FROM c",
        "SELECT COUNT(1) AS n FROM c GROUP BY c.deep",
        "SELECT VALUE ARRAY_LENGTH(MAKESET(c.deep)) FROM c"
      })
  void whatGathersNestedValuesOfItemsIsCounted(String query) {
    assertCounted(query, List.of(ITEM, ITEM, ITEM, ITEM, ITEM, ITEM, ITEM, ITEM));
  }

  private static void assertCounted(String query, List<Value> items) {
    CompiledQuery compiled = Queries.compile(query);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (var budget = QueryBudget.of(MEMORY, deadline, () -> false)) {
      Parameters parameters = Parameters.none().with(budget);
      long before = ProcessorTime.nanos();
      compiled.run(items, parameters);
      long taken = ProcessorTime.nanos() - before;
      long steps = budget.steps();
      assertTrue(
          taken < FREE_NANOS + NANOS_PER_STEP * steps,
          () -> taken / 1_000 + " us of the core for " + steps + " steps");
    }
    assertEquals(0, MEMORY.takenBytes(Memory.Lane.QUERY), query);
  }

  /** Hashing the key of the first group counts as that of all others does. */
  @Test
  void keysOfGroupsAreHashedOnce() {
    long one = hashedSteps(1);
    assertTrue(one > 0, "" + one);
    long three = hashedSteps(3);
    assertTrue(Math.abs(three - 3 * one) < one / 10, one + " steps, and " + three);
  }

  private static long hashedSteps(int groups) {
    String key = "[\"%d\",\"" + "a".repeat(1 << 16) + "\"]";
    GroupTable table =
        Queries.compile("SELECT COUNT(1) FROM c GROUP BY c").groups(Parameters.none());
    for (int i = 0; i < groups; i++) {
      table.add(RawJson.of(key.formatted(i).getBytes(StandardCharsets.UTF_8)));
    }
    return table.steps();
  }
}
