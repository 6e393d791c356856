package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that nest deeply are refused, or answered and paid for, but no fault. */
class NestedValuesTest {
  private final QueriedDatabase queried = new QueriedDatabase(QuerySettings.DEFAULT);

  @BeforeEach
  void create() {
    queried.create(TestDatabase.KEYED, new Throughput.Manual(10_000));
  }

  @AfterEach
  void close() {
    queried.close();
  }

  private static String deep(String inside, int levels) {
    return "[".repeat(levels) + inside + "]".repeat(levels);
  }

  /** A chain of JOINs, each of which nests what the one before made. */
  private static String chain(String step, int joins, int levels) {
    var text = new StringBuilder(" from c JOIN (SELECT VALUE 1) AS x0");
    for (int i = 1; i <= joins; i++) {
      String source = step.replace("$", deep("x" + (i - 1), levels));
      text.append(" JOIN (").append(source).append(") AS x").append(i);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE x20 = x20",
        "SELECT VALUE x20",
        "SELECT DISTINCT VALUE x20",
        "SELECT VALUE MAKELIST(x20)",
        "SELECT VALUE MIN(ARRAY_LENGTH(x20))"
      })
  void queriesThatNestWithoutEndAreRefused(String select) {
    queried.insert(List.of("{'id':'1','pk':'p','a':[1]}", "{'id':'2','pk':'q','a':[1]}"));
    String query = select + chain("SELECT VALUE MAKELIST($) FROM t IN c.a", 20, 180);
    assertInstanceOf(
        Refusal.BadQuery.class, queried.answer(query, -1, null).outcome(), "the query " + select);
  }

  /** The rows are parts of a large item, and kept apart from it. */
  @ParameterizedTest
  @ValueSource(strings = {"ORDER BY c.n", "", "GROUP BY x4"})
  void rowsOfAllLevelsThatMayBeBuiltAreAnswered(String tail) {
    queried.insert(List.of("{'id':'1','pk':'p','n':1,'a':[1],'pad':'" + "a".repeat(40_000) + "'}"));
    String query = "SELECT VALUE x4" + chain("SELECT VALUE $", 4, 195);
    query = query.replace(" from c", " FROM c") + " " + tail;
    List<String> rows = queried.all(query, -1);
    assertEquals(List.of(deep("1", 780)), rows);
  }

  @Test
  void conditionsThatNestWithoutEndAreRefused() {
    queried.insert(List.of("{'id':'1','pk':'p','a':[1],'n':0}"));
    String condition =
        chain("SELECT VALUE MAKELIST($) FROM t IN c.a", 20, 180).strip() + " WHERE x20 = x20";
    assertInstanceOf(Refusal.BadQuery.class, patched(condition).outcome());
    assertInstanceOf(Outcome.Success.class, patched("from c WHERE c.n = 0").outcome());
  }

  private Answer patched(String condition) {
    var key = new PartitionKey(List.of(new KeyComponent.Text("p")));
    var increment = new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1"));
    return queried.database.answer(
        new Operation.PatchItem(
            new ItemScope(TestDatabase.CONTAINER, key),
            new ItemRef.ById("1"),
            new Patch(List.of(increment), condition),
            Precondition.NONE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ARRAY_CONTAINS(c.deeps, c.deep)", "ARRAY_CONTAINS(c.deeps, c.deep, true)"})
  void comparisonsOfNestedArraysHaveTheirPrice(String condition) {
    String deep = deep("1,".repeat(100_000) + "1", 120);
    queried.insert(
        List.of(
            "{'id':'1','pk':'p','rows':[1,2,3,4,5],'deep':%s,'deeps':[%s]}".formatted(deep, deep)));
    Answer answer =
        queried.answer("SELECT VALUE t FROM c JOIN t IN c.rows WHERE " + condition, -1, null);
    var page = assertInstanceOf(Outcome.QueryPage.class, answer.outcome());
    assertEquals(5, page.rows().size());
    // Text of 120 levels is read for each of them: a step for 64 characters.
    double steps = 5.0 * 2 * 120 * 200_000 / 64;
    assertTrue(answer.charge().units() > 0.9 * 0.1 * steps / 1_000, () -> "" + answer.charge());
  }
}
