package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.script.ScriptSettings;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What queries that call functions of users may take of the server. */
@Timeout(120)
class FunctionLimitsTest {
  private static final String SLOW =
      "function slow(n) { const end = Date.now() + 500; while (Date.now() < end); return n; }";

  private static final String WORK = "let s = n; for (let i = 0; i < 3e7; i++) { s += i % 7; }";
  private static final String WORKS = "function works(n) { " + WORK + " return s; }";

  private final QueriedDatabase queried =
      new QueriedDatabase(QueriedDatabase.within(Duration.ofSeconds(5), Duration.ofSeconds(20)));

  @BeforeEach
  void fill() {
    queried.create(TestDatabase.KEYED, new Throughput.Manual(10_000));
    queried.insert(
        IntStream.range(0, 100)
            .mapToObj(i -> "{'id':'" + i + "','pk':'p','n':" + i + "}")
            .toList());
  }

  @AfterEach
  void close() {
    queried.close();
    assertEquals(0, Memory.process().takenBytes(Memory.Lane.QUERY));
  }

  private void create(String id, String source) {
    create(queried.database, ScriptKind.USER_DEFINED_FUNCTION, id, source);
  }

  private static void create(TestDatabase database, ScriptKind kind, String id, String source) {
    var script = new Value.Obj(Map.of("id", Value.of(id), "body", Value.of(source)));
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        database.outcome(
            new Operation.CreateScript(
                TestDatabase.CONTAINER, kind, Body.json(Json.write(script)))));
  }

  /** All items together would take fifty seconds. */
  @Test
  void pageOfSlowFunctionsEndsWithItsTime() {
    create("quick", "function quick(n) { return n; }");
    assertEquals(100, queried.all("SELECT VALUE udf.quick(c.n) FROM c", -1).size());
    create("slow", SLOW);
    var page =
        assertTimeout(
            Duration.ofSeconds(30),
            () -> queried.page("SELECT VALUE udf.slow(c.n) FROM c", -1, null));
    assertFalse(page.rows().isEmpty());
    assertNotNull(page.continuation());
  }

  @Test
  void functionsPayForTheTimeTheyWork() {
    create("quick", "function quick(n) { return n; }");
    create("works", WORKS);
    double quick = charge("SELECT VALUE udf.quick(c.n) FROM c WHERE c.n < 3");
    assertTrue(quick < 10, () -> "quick: " + quick);
    assertPaidOnce(() -> charge("SELECT VALUE udf.works(c.n) FROM c WHERE c.n < 3"));
    assertPaidOnce(() -> charge("SELECT VALUE udf.works(1) + udf.works(2) + udf.works(3)"));
    assertPaidOnce(() -> charge("SELECT VALUE SUM(udf.works(c.n)) FROM c WHERE c.n < 3"));
    assertPaidOnce(() -> charge("SELECT VALUE udf.works(c.n) FROM c WHERE c.n < 3 GROUP BY c.n"));
  }

  @Test
  void functionsOfAScriptsQueryArePaidOnce() {
    create("works", WORKS);
    assertScriptPaysOnce("SELECT VALUE udf.works(c.n) FROM c WHERE c.n < 3");
  }

  @Test
  void functionsOfAScriptsRefusedQueryArePaidOnce() {
    create("works", WORKS);
    create("fails", "function fails(n) { " + WORK + " throw new Error('no'); }");
    assertScriptPaysOnce("SELECT VALUE udf.works(c.n) + udf.fails(c.n) FROM c WHERE c.n < 1");
  }

  private void assertScriptPaysOnce(String query) {
    create(
        queried.database,
        ScriptKind.STORED_PROCEDURE,
        "asks",
        "function asks() { __.queryDocuments(__.getSelfLink(), '" + query + "', () => {}); }");
    var asks = new ScriptRef(TestDatabase.CONTAINER, ScriptKind.STORED_PROCEDURE, "asks");
    var execution = new Operation.ExecuteScript(asks, PartitionKey.of("p"), Body.json("[]"));
    var _ = charge("SELECT VALUE udf.works(1)"); // starts a process, which nobody pays for
    assertPaidOnce(() -> queried.database.database().execute(execution).charge().units());
  }

  /** Compares the price with the processor time that the processes of scripts used meanwhile. */
  private static void assertPaidOnce(DoubleSupplier charge) {
    double before = processSeconds();
    double units = charge.getAsDouble();
    double paid = 100 * Math.max(0, processSeconds() - before - 0.5);
    assertTrue(
        units > 0.8 * paid - 10 && units < 1.2 * paid + 20,
        () -> "charged " + units + " for time that costs " + paid);
  }

  private static double processSeconds() {
    return ProcessHandle.current()
        .descendants()
        .mapToDouble(process -> process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
        .map(nanos -> nanos / 1e9)
        .sum();
  }

  /** Of one page. */
  private double charge(String query) {
    var request =
        new Operation.QueryItems(
            TestDatabase.CONTAINER,
            new SqlQuery(query, Map.of()),
            new FeedScope.OfKey(PartitionKey.of("p")),
            new PageRequest(-1, null),
            QueryOptions.ANYWHERE);
    Answer answer = queried.database.database().execute(request);
    assertInstanceOf(Outcome.QueryPage.class, answer.outcome(), query);
    return answer.charge().units();
  }

  /** A process without a cache of classes takes longer to start than such a page may take. */
  @Test
  void startOfAProcessIsNoTimeOfTheQuery() {
    var settings = QueriedDatabase.within(Duration.ofSeconds(1), Duration.ofSeconds(2));
    try (var cold = new QueriedDatabase(settings)) {
      cold.create(TestDatabase.KEYED, new Throughput.Manual(400));
      cold.insert(List.of("{'id':'1','pk':'p','n':1}"));
      create(
          cold.database,
          ScriptKind.USER_DEFINED_FUNCTION,
          "same",
          "function same(n) { return n; }");
      assertEquals(List.of("1"), cold.all("SELECT VALUE udf.same(c.n) FROM c", -1));
    }
  }

  /** A second process would be waited for in vain where there is one. */
  @Test
  void queryOfAScriptCallsFunctionsInTheScriptsProcess() {
    var settings =
        DatabaseSettings.of(Limits.SEEDS).with(ScriptSettings.DEFAULT.with(1, 128L << 20));
    try (var database = new TestDatabase(new MemoryStorage(true), settings)) {
      database.createKeyed(1);
      create(
          database, ScriptKind.USER_DEFINED_FUNCTION, "odd", "function odd(n) { return n % 2; }");
      create(
          database,
          ScriptKind.STORED_PROCEDURE,
          "s",
          """
          function s() {
            for (const n of [1, 2, 3, 4]) __.createDocument(__.getSelfLink(), {id: 'i' + n, pk: 'p', n});
            const said = [];
            for (const query of ['SELECT DISTINCT VALUE udf.odd(c.n) FROM c',
                'SELECT udf.odd(c.n) AS o, COUNT(1) AS n FROM c GROUP BY udf.odd(c.n)'])
              __.queryDocuments(__.getSelfLink(), query, (error, rows) => {
                said.push(error ? error.message : rows.length);
                getContext().getResponse().setBody(said);
              });
          }
          """);
      var done =
          database.outcome(
              new Operation.ExecuteScript(
                  new ScriptRef(TestDatabase.CONTAINER, ScriptKind.STORED_PROCEDURE, "s"),
                  PartitionKey.of("p"),
                  Body.json("[]")));
      var answer = assertInstanceOf(Outcome.ScriptDone.class, done);
      assertEquals("[2,2]", answer.body().bytes().utf8());
    }
  }

  @Test
  void resultsOfManyItemsAreGivenPageByPage() {
    create("big", "function big(n) { return {n, text: 'x'.repeat(1000000)}; }");
    assertEquals(100, queried.all("SELECT VALUE LENGTH(udf.big(c.n).text) FROM c", -1).size());
  }
}
