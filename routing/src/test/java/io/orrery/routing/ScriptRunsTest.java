package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptRunsTest {
  private static final PartitionKey KEY = PartitionKey.of("a");
  private static final ItemScope SCOPE = new ItemScope(CONTAINER, KEY);
  private final TestDatabase database = new TestDatabase(true);

  @BeforeEach
  void fill() {
    database.createKeyed(1);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void create(ScriptKind kind, String id, String source, String... more) {
    var members = new LinkedHashMap<String, Value>();
    members.put("id", Value.of(id));
    members.put("body", Value.of(source));
    for (int i = 0; i < more.length; i += 2) {
      members.put(more[i], Value.of(more[i + 1]));
    }
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        database.outcome(
            new Operation.CreateScript(
                CONTAINER, kind, Body.json(Json.write(new Value.Obj(members))))));
  }

  private void createPreTrigger(String id, String source) {
    create(ScriptKind.TRIGGER, id, source, "triggerType", "Pre", "triggerOperation", "All");
  }

  private Answer execute(String id, @Nullable PartitionKey key, String arguments) {
    return database
        .database()
        .execute(
            new Operation.ExecuteScript(
                new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, id), key, json(arguments)));
  }

  private String run(String source) {
    create(ScriptKind.STORED_PROCEDURE, "s", source);
    return said(execute("s", KEY, "[]").outcome());
  }

  private static String said(Outcome outcome) {
    var done = assertInstanceOf(Outcome.ScriptDone.class, outcome);
    return new String(done.body().bytes().array(), StandardCharsets.UTF_8);
  }

  private Outcome read(String id) {
    return database.outcome(new Operation.ReadItem(SCOPE, new ItemRef.ById(id), Precondition.NONE));
  }

  @Test
  void documentsAreReachedByBothLinks() {
    assertEquals(
        "[1,1,412,404,\"new\"]",
        run(
            """
            function f() {
              const answer = [];
              __.createDocument(__.getAltLink(), {id: 'x', pk: 'a', n: 1}, (e, made) => {
                __.readDocument(made._self, (e, d) => { answer.push(d.n); });
                __.readDocument(__.getAltLink() + '/docs/x', {}, (e, d) => { answer.push(d.n); });
                __.replaceDocument(made._self, {id: 'x', pk: 'a', n: 2}, {etag: '"other"'}, e => { answer.push(e.number); });
                __.readDocument(__.getAltLink() + '/docs/none', e => { answer.push(e.number); });
                __.replaceDocument(made._self, {id: 'x', pk: 'a', n: 'new'}, {etag: made._etag}, (e, d) => {
                  answer.push(d.n);
                  getContext().getResponse().setBody(answer); });
              });
            }
            """));
    assertInstanceOf(Outcome.ItemRead.class, read("x"));
  }

  @Test
  void scriptsPayForTheTimeTheyWork() {
    create(ScriptKind.STORED_PROCEDURE, "quick", "function f() {}");
    create(
        ScriptKind.STORED_PROCEDURE,
        "slow",
        "function f(fails) { let sum = 0; for (let i = 0; i < 6e7; i++) { sum += i % 7; }"
            + " if (fails) throw new Error('after all'); }");
    assertEquals(1, execute("quick", KEY, "[]").charge().units());
    for (String arguments : List.of("[]", "[true]")) {
      double units = execute("slow", KEY, arguments).charge().units();
      assertTrue(units > 5, arguments + ": " + units);
    }
  }

  /** Their queries compute for long. */
  @Test
  void scriptsRunOnTheThreadsThatCompute() {
    create(ScriptKind.STORED_PROCEDURE, "s", "function f() {}");
    createPreTrigger("t", "function f() {}");
    var script = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s");
    var item = new Operation.CreateItem(SCOPE, json("{'id':'x','pk':'a'}"));
    for (Operation operation :
        List.of(
            new Operation.ExecuteScript(script, KEY, json("[]")),
            new Operation.ExecuteWithTriggers(item, List.of("t"), List.of()))) {
      var asked = new PendingReply(false);
      database.database().execute(operation, asked);
      asked.answer.join();
      assertEquals("query", asked.thread);
    }
  }

  private double unitsOfTriggers(String id, List<String> triggers) {
    var item = new Operation.CreateItem(SCOPE, json("{'id':'" + id + "','pk':'a'}"));
    Answer answer = database.answer(new Operation.ExecuteWithTriggers(item, triggers, List.of()));
    assertInstanceOf(Outcome.ItemCreated.class, answer.outcome());
    return answer.charge().units();
  }

  @Test
  void theTriggersOfARequestShareTheTimeThatIsFree() {
    String working = "function f() { let s = 0; for (let i = 0; i < COUNT; i++) { s += i % 7; } }";
    // As much work as is clearly more than what is free, on whatever machine this is.
    int count = 10_000_000;
    double whole;
    do {
      count *= 2;
      createPreTrigger("whole" + count, working.replace("COUNT", String.valueOf(count)));
      whole = unitsOfTriggers("whole" + count, List.of("whole" + count));
    } while (whole <= 20 && count < 1_000_000_000);
    List<String> parts = IntStream.range(0, 10).mapToObj(i -> "part" + i).toList();
    for (String name : parts) {
      createPreTrigger(name, working.replace("COUNT", String.valueOf(count / 10)));
    }
    double shared = unitsOfTriggers("parts", parts);
    // Either works for as long; each of the ten has a price of its own beside.
    assertTrue(whole > 20 && shared - 10 > whole / 4, shared + " against " + whole);
  }

  @Test
  void scriptsPayForQueriesThatAreRefused() {
    create(
        ScriptKind.STORED_PROCEDURE,
        "queries",
        """
        function f(numbers) {
          const any = 'SELECT VALUE ' + JSON.stringify(numbers);
          const query = 'SELECT VALUE COUNT(1) FROM c JOIN x IN (' + any + ') JOIN y IN (' + any
            + ') JOIN z IN (' + any + ') WHERE CONTAINS(REPLICATE("ab", 4000), ToString(x + y + z))';
          __.createDocument(__.getAltLink(), {id: 'q', pk: 'a'});
          __.queryDocuments(__.getAltLink(), query, e => getContext().getResponse().setBody(e));
        }
        """);
    String numbers = IntStream.range(0, 300).boxed().toList().toString();
    double units = execute("queries", KEY, "[" + numbers + "]").charge().units();
    assertTrue(units > 90, () -> "charged " + units);
  }

  @Test
  void scriptsLearnWhatIsUsed() {
    assertEquals(
        "\"made\"",
        run(
            "function f() { __.createDocument(__.getAltLink(), "
                + "{id: 'q', pk: 'a'}, () => getContext().getResponse().setBody('made')); }"));
    create(
        ScriptKind.STORED_PROCEDURE,
        "usage",
        """
        function f() {
          const r = getContext().getResponse();
          r.setBody([r.getMaxResourceQuota(), r.getResourceQuotaCurrentUsage()]);
        }
        """);
    String told = said(execute("usage", KEY, "[]").outcome());
    assertTrue(
        told.matches(".*documentSize=2048;documentsSize=[1-9]\\d+;documentsCount=-1;.*"), told);
    assertTrue(told.matches(".*documentsSize=0;documentsCount=1;collectionSize=0;.*"), told);
  }

  @Test
  void whatAScriptWroteItFindsByQuery() {
    assertEquals(
        "[[1,2],[2],\"more\"]",
        run(
            """
            function f() {
              for (const n of [1, 2, 3]) __.createDocument(__.getSelfLink(), {id: 'i' + n, pk: 'a', n});
              __.queryDocuments(__.getSelfLink(), 'SELECT VALUE c.n FROM c WHERE c.n < 3', (e, low) => {
                __.queryDocuments(__.getSelfLink(),
                  {query: 'SELECT VALUE c.n FROM c WHERE c.n = @n', parameters: [{name: '@n', value: 2}]},
                  (e, two) => {
                    __.readDocuments(__.getSelfLink(), {pageSize: 1}, (e, page, options) =>
                      __.response.setBody([low, two, options.continuation ? 'more' : page])); }); });
            }
            """));
  }

  @Test
  void aScriptKeepsToItsContainerAndKey() {
    for (String step :
        List.of(
            "__.createDocument(__.getSelfLink(), {id: 'x', pk: 'other'})",
            "__.createDocument('dbs/d/colls/other', {id: 'x', pk: 'a'})",
            "__.readDocument('dbs/d/colls/other/docs/x')",
            "__.readDocument('nonsense')",
            "__.createDocument(__.getSelfLink(), {id: 7, pk: 'a'})",
            "__.queryDocuments(__.getSelfLink(), 'SELECT nonsense FROM')",
            "__.queryDocuments(__.getSelfLink(), {no: 1})")) {
      create(ScriptKind.STORED_PROCEDURE, step.substring(0, 4) + step.hashCode(), "() => " + step);
      Outcome outcome = execute(step.substring(0, 4) + step.hashCode(), KEY, "[]").outcome();
      assertInstanceOf(Refusal.ScriptFailed.class, outcome, step);
    }
    assertInstanceOf(Refusal.NotFound.class, execute("none", KEY, "[]").outcome());
    create(ScriptKind.STORED_PROCEDURE, "s", "function () {}");
    assertInstanceOf(Refusal.BadRequest.class, execute("s", null, "[]").outcome());
    assertInstanceOf(Refusal.BadRequest.class, execute("s", KEY, "{}").outcome());
  }

  @Test
  void scriptsThatWriteTheSameItemAllCount() throws Exception {
    create(
        ScriptKind.STORED_PROCEDURE,
        "count",
        """
        function count() {
          __.readDocument(__.getAltLink() + '/docs/n', (e, d) => {
            if (e) { __.createDocument(__.getSelfLink(), {id: 'n', pk: 'a', n: 1}); return; }
            d.n++;
            __.replaceDocument(d._self, d, {etag: d._etag});
          });
        }
        """);
    List<Future<Outcome>> running = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 20; i++) {
        running.add(threads.submit(() -> execute("count", KEY, "[]").outcome()));
      }
    }
    int done = 0;
    for (Future<Outcome> outcome : running) {
      done += outcome.get() instanceof Outcome.ScriptDone ? 1 : 0;
    }
    var stored = assertInstanceOf(Outcome.ItemRead.class, read("n")).item();
    assertTrue(
        new String(stored.body().bytes().array(), StandardCharsets.UTF_8)
            .contains("\"n\":" + done));
    assertEquals(20, done);
  }

  @Test
  void anOperationHasFewTriggers() {
    create(
        ScriptKind.TRIGGER,
        "none",
        "function f() {}",
        "triggerType",
        "Pre",
        "triggerOperation",
        "All");
    var made = new Operation.CreateItem(SCOPE, json("{'id':'t','pk':'a'}"));
    List<String> many = Collections.nCopies(11, "none");
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.outcome(new Operation.ExecuteWithTriggers(made, many, List.of())));
    assertInstanceOf(
        Outcome.ItemCreated.class,
        database.outcome(new Operation.ExecuteWithTriggers(made, many.subList(0, 10), List.of())));
  }

  @Test
  void triggersSeeTheOperationAndArePartOfIt() {
    create(
        ScriptKind.TRIGGER,
        "log",
        """
        function log() {
          const operation = getContext().getRequest().getOperationType();
          const body = getContext().getResponse().getBody();
          __.upsertDocument(__.getSelfLink(), {id: 'log', pk: 'a', text: operation + (body ? body.id : '')});
        }
        """,
        "triggerType",
        "Post",
        "triggerOperation",
        "All");
    for (Map.Entry<String, Operation.ItemOperation> each :
        Map.of(
                "Createx",
                (Operation.ItemOperation)
                    new Operation.CreateItem(SCOPE, json("{'id':'x','pk':'a'}")))
            .entrySet()) {
      Answer answer =
          database
              .database()
              .execute(
                  new Operation.ExecuteWithTriggers(each.getValue(), List.of(), List.of("log")));
      var created = assertInstanceOf(Outcome.ItemCreated.class, answer.outcome());
      assertEquals(
          created.item().etag(), assertInstanceOf(Outcome.ItemRead.class, read("x")).item().etag());
      var log = assertInstanceOf(Outcome.ItemRead.class, read("log")).item();
      assertTrue(
          new String(log.body().bytes().array(), StandardCharsets.UTF_8).contains(each.getKey()));
    }
    Outcome deleted =
        database.outcome(
            new Operation.ExecuteWithTriggers(
                new Operation.DeleteItem(SCOPE, new ItemRef.ById("x"), Precondition.NONE),
                List.of(),
                List.of("log")));
    assertInstanceOf(Outcome.ItemDeleted.class, deleted);
    assertInstanceOf(Refusal.NotFound.class, read("x"));
  }
}
