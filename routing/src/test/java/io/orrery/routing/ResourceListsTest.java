package io.orrery.routing;

import static io.orrery.routing.TestDatabase.KEYED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.SqlQuery;
import io.orrery.value.ResourceJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResourceListsTest {
  private static final ResourceFeed DATABASES = new ResourceFeed.Databases();

  private final TestDatabase database = new TestDatabase(true);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void databasesAreListedPageByPage() {
    var created = new ArrayList<Resource>();
    for (int i = 0; i < 10; i++) {
      created.add(database.createDatabase("db" + i));
    }
    var listed = new ArrayList<Resource>();
    String continuation = null;
    int pages = 0;
    do {
      var page =
          assertInstanceOf(Outcome.ResourcePage.class, list(DATABASES, 4, continuation, null));
      listed.addAll(page.resources());
      continuation = page.continuation();
      pages++;
    } while (continuation != null);
    assertEquals(created, listed);
    assertEquals(3, pages);
  }

  @Test
  void containersOfOneDatabaseAreListed() {
    Resource owner = database.createDatabase("d");
    database.createDatabase("other");
    Resource container = database.createContainer(KEYED, null);
    var feed = new ResourceFeed.Containers(new DatabaseRef("d"));
    var answer = database.answer(new Operation.ListResources(feed, PageRequest.FIRST, null));
    assertEquals(new Outcome.ResourcePage(List.of(container), null), answer.outcome());
    assertEquals(new io.orrery.operation.Answer.Owner("dbs/d", owner.rid()), answer.owner());
    assertEquals(
        new Refusal.OwnerNotFound(),
        list(new ResourceFeed.Containers(new DatabaseRef("none")), -1, null, null));
  }

  @Test
  void queryPicksAndProjects() {
    Resource first = database.createDatabase("a");
    database.createDatabase("b");
    assertEquals(List.of(ResourceJson.body(first)), rows("SELECT * FROM root r WHERE r.id = 'a'"));
    assertEquals(List.of(Body.json("\"a\""), Body.json("\"b\"")), rows("SELECT VALUE c.id FROM c"));
    assertEquals(
        List.of(Body.json("{\"_rid\":\"" + first.rid() + "\"}")),
        rows("SELECT c._rid FROM c WHERE c._self = 'dbs/" + first.rid() + "/'"));
  }

  private static final String HEAVY =
      "SELECT VALUE COUNT(1) FROM c JOIN x IN (SELECT VALUE @n) JOIN y IN (SELECT VALUE @n)"
          + " JOIN z IN (SELECT VALUE @n) WHERE x + y + z < 0";

  private static Operation heavy(int numbers) {
    String array = IntStream.range(0, numbers).boxed().toList().toString();
    var query = new SqlQuery(HEAVY, Map.of("@n", Body.json(array)));
    return new Operation.ListResources(DATABASES, PageRequest.FIRST, query);
  }

  @Test
  void queriesPayForTheirStepsAndListsDoNot() {
    database.createDatabase("d");
    var list = new Operation.ListResources(DATABASES, PageRequest.FIRST, null);
    assertEquals(2, database.answer(list).charge().units());
    assertEquals(2, database.answer(heavy(10)).charge().units());
    double units = database.answer(heavy(100)).charge().units();
    assertTrue(units > 50, () -> "charged " + units);
  }

  @Test
  void queriesRunOnTheThreadsThatComputeAndEndWithTheirClient() {
    database.createDatabase("d");
    var running = new PendingReply(true);
    database.database().execute(heavy(200), running);
    assertInstanceOf(Refusal.TimedOut.class, running.answer.join().outcome());
    assertEquals("query", running.thread);
  }

  @Test
  void queryPagesGoOnWithTheirContinuation() {
    for (int i = 0; i < 5; i++) {
      database.createDatabase("db" + i);
    }
    String text = "SELECT VALUE c.id FROM c WHERE c.id != 'db1'";
    var first =
        assertInstanceOf(
            Outcome.RowPage.class, list(DATABASES, 2, null, new SqlQuery(text, Map.of())));
    assertEquals(List.of(Body.json("\"db0\""), Body.json("\"db2\"")), first.rows());
    assertNotNull(first.continuation());
    var second =
        assertInstanceOf(
            Outcome.RowPage.class,
            list(DATABASES, 9, first.continuation(), new SqlQuery(text, Map.of())));
    assertEquals(List.of(Body.json("\"db3\""), Body.json("\"db4\"")), second.rows());
    assertInstanceOf(Refusal.BadRequest.class, list(DATABASES, 9, first.continuation(), null));
  }

  @Test
  void wrongQueryIsRefusedWithItsErrors() {
    var refused =
        assertInstanceOf(
            Refusal.BadQuery.class,
            list(DATABASES, -1, null, new SqlQuery("SELECT FROM WHERE", Map.of())));
    assertTrue(refused.errorsJson().contains("SC1001"), refused.errorsJson());
  }

  @Test
  void queriesSortCountAndSkip() {
    for (String id : List.of("b", "c", "a")) {
      database.createDatabase(id);
    }
    assertEquals(List.of(Body.json("3")), rows("SELECT VALUE COUNT(1) FROM c"));
    assertEquals(
        List.of(Body.json("\"c\"")), rows("SELECT TOP 1 VALUE c.id FROM c ORDER BY c.id DESC"));
    assertEquals(
        List.of(Body.json("\"b\"")),
        rows("SELECT VALUE c.id FROM c ORDER BY c.id OFFSET 1 LIMIT 1"));
    var sorted = new SqlQuery("SELECT VALUE c.id FROM c ORDER BY c.id", Map.of());
    var first = assertInstanceOf(Outcome.RowPage.class, list(DATABASES, 2, null, sorted));
    assertEquals(List.of(Body.json("\"a\""), Body.json("\"b\"")), first.rows());
    var second =
        assertInstanceOf(Outcome.RowPage.class, list(DATABASES, 2, first.continuation(), sorted));
    assertEquals(new Outcome.RowPage(List.of(Body.json("\"c\"")), null), second);
  }

  /** Ten thousand rows take more than their text of a byte each. */
  @Test
  void rowsAreDrawnFromTheMemoryOfQueries() {
    database.createDatabase("d");
    String numbers = "(SELECT VALUE [" + "1,".repeat(99) + "1])";
    String text = "SELECT VALUE 1 FROM c JOIN a IN " + numbers + " JOIN b IN " + numbers;
    var many = new SqlQuery(text, Map.of());
    assertInstanceOf(Outcome.RowPage.class, list(DATABASES, -1, null, many));
    Memory memory = Memory.process();
    long others = memory.boundBytes(Memory.Lane.QUERY) - 100_000;
    assertTrue(memory.tryTake(Memory.Lane.QUERY, others));
    try {
      assertInstanceOf(Refusal.Unavailable.class, list(DATABASES, -1, null, many));
    } finally {
      memory.giveBack(Memory.Lane.QUERY, others);
    }
  }

  private List<Body> rows(String text) {
    return assertInstanceOf(
            Outcome.RowPage.class, list(DATABASES, -1, null, new SqlQuery(text, Map.of())))
        .rows();
  }

  private Outcome list(
      ResourceFeed feed, int maxItems, @Nullable String continuation, @Nullable SqlQuery query) {
    return database.outcome(
        new Operation.ListResources(feed, new PageRequest(maxItems, continuation), query));
  }
}
