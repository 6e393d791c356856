package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are built of each other have a bound, also where they became text between. */
class NestedValuesTest {
  private static final int LEVELS = 180;

  /** What clients may store, and what queries may build over it. */
  private static final int STORED_LEVELS = 126;

  private static final int BUILT_LEVELS = 800;

  static String deep(String inside, int levels) {
    return "[".repeat(levels) + inside + "]".repeat(levels);
  }

  /**
   * A chain of JOINs, each of which nests what the one before made.
   *
   * @param step the source of one, where {@code $} is what the one before made
   */
  static String chain(String step, int joins, int levels) {
    var text = new StringBuilder(" FROM c JOIN (SELECT VALUE c.d) AS x0");
    for (int i = 1; i <= joins; i++) {
      String source = step.replace("$", deep("x" + (i - 1), levels));
      text.append(" JOIN (").append(source).append(") AS x").append(i);
    }
    return text.toString();
  }

  private static Value item() {
    String json = "{\"a\":[1],\"d\":" + deep("1", STORED_LEVELS) + "}";
    return RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  /** The threads of requests are virtual ones: their stacks end where others would go on. */
  private static @Nullable Throwable faultOf(Runnable task) throws InterruptedException {
    var fault = new AtomicReference<@Nullable Throwable>();
    Thread.ofVirtual().uncaughtExceptionHandler((thread, e) -> fault.set(e)).start(task).join();
    return fault.get();
  }

  private static @Nullable Throwable faultOf(String query) throws InterruptedException {
    CompiledQuery compiled = Queries.compile(query);
    return faultOf(() -> compiled.run(List.of(item()), Parameters.none()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE MAKELIST($) FROM t IN c.a",
        "SELECT VALUE MAKESET($) FROM t IN c.a",
        "SELECT VALUE g.k FROM (SELECT $ AS k FROM t IN c.a GROUP BY $) AS g",
        "SELECT DISTINCT VALUE MAKELIST($) FROM t IN c.a",
        "SELECT VALUE ARRAY(SELECT VALUE $ FROM t IN c.a)"
      })
  void whatChainsOfJoinsNestIsRefused(String step) throws InterruptedException {
    Throwable fault = faultOf("SELECT VALUE x20 = x20" + chain(step, 20, LEVELS));
    QueryRefused refused = assertInstanceOf(QueryRefused.class, fault);
    assertTrue(refused.message().contains("800 levels"), refused::message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"MAKELIST(x4)", "MAKESET([x4, x4])"})
  void whatNestsDeeperThanItsOwnLevelsShowIsNoLargerInRows(String aggregate)
      throws InterruptedException {
    // Text of 900 levels, over which 180 more are built.
    String query =
        "SELECT VALUE "
            + deep("y", LEVELS)
            + chain("SELECT VALUE $", 4, LEVELS)
            + " JOIN (SELECT VALUE "
            + aggregate
            + " FROM t IN c.a) AS y";
    assertInstanceOf(QueryRefused.class, faultOf(query));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x4 = x4 AND [x4] = [x4]",
        "x4 IN (x4, 1)",
        "ARRAY_CONTAINS([x4], x4)",
        "ARRAY_CONTAINS([x4], x4, true)",
        "ARRAY_LENGTH(SETUNION([x4], [x4])) = 1",
        "(SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE x4 FROM t IN c.a) AS u) = 1",
        "(SELECT VALUE COUNT(1) FROM (SELECT 1 FROM t IN c.a GROUP BY x4) AS u) = 1",
        "(SELECT VALUE MAKESET(x4) FROM t IN c.a)[0] = x4"
      })
  void allLevelsThatMayBeBuiltOverStoredOnesAreUsed(String condition) throws InterruptedException {
    int levels = BUILT_LEVELS / 4;
    String query = "SELECT VALUE " + condition + chain("SELECT VALUE $", 4, levels - 1);
    CompiledQuery compiled = Queries.compile(query);
    List<Value> rows = new ArrayList<>();
    assertNull(faultOf(() -> rows.addAll(compiled.run(List.of(item()), Parameters.none()))));
    assertEquals(List.of(Value.TRUE), rows);
  }

  /** The deepest that there are between two looks at what is built: text, and levels over it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "y = y",
        "y IN (y, 1)",
        "ARRAY_CONTAINS([y], y, true)",
        "{a: y} = {a: y}",
        "ARRAY_CONTAINS([{a: y}], {a: y}, true)"
      })
  void theDeepestValuesFitOnTheStack(String condition) throws InterruptedException {
    String text =
        "SELECT VALUE "
            + condition.replace("y", deep("z", LEVELS))
            + chain("SELECT VALUE $", 4, 195)
            + " JOIN (SELECT VALUE MAKELIST(x4) FROM t IN c.a) AS z";
    CompiledQuery compiled = Queries.compile(text);
    List<Value> rows = new ArrayList<>();
    assertNull(faultOf(() -> rows.addAll(compiled.run(List.of(item()), Parameters.none()))));
    assertEquals("[true]", new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8));
  }
}
