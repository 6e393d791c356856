package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.script.ScriptSettings;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query that would go on for an hour in a script that may not. */
@Timeout(120)
class ScriptQueryTimeTest {
  private static final PartitionKey KEY = PartitionKey.of("a");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String SOURCE =
      """
      function f() {
        const query = 'SELECT VALUE COUNT(1) FROM c JOIN x IN c.n JOIN y IN c.n JOIN z IN c.n'
          + ' WHERE x + y + z < 0';
        __.queryDocuments(__.getAltLink(), query, e => { if (e) throw e; });
      }
      """;

  private final TestDatabase database =
      new TestDatabase(
          new MemoryStorage(true),
          DatabaseSettings.of(Limits.SEEDS)
              .with(QueriedDatabase.within(HOUR, HOUR))
              .with(ScriptSettings.DEFAULT.within(Duration.ofMillis(200))));

  @Test
  void theQueryEndsWithTheTimeOfItsScript() {
    try (database) {
      database.createKeyed(1);
      String numbers = IntStream.range(0, 200).boxed().toList().toString();
      for (int i = 0; i < 1_000; i++) {
        database.create(KEY, "{'id':'" + i + "','pk':'a','n':" + numbers + "}");
      }
      var script = Map.of("id", Value.of("s"), "body", Value.of(SOURCE));
      assertInstanceOf(
          Outcome.ResourceCreated.class,
          database.outcome(
              new Operation.CreateScript(
                  CONTAINER,
                  ScriptKind.STORED_PROCEDURE,
                  Body.json(Json.write(new Value.Obj(script))))));
      assertInstanceOf(
          Refusal.TimedOut.class,
          database.outcome(
              new Operation.ExecuteScript(
                  new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s"), KEY, json("[]"))));
    }
  }
}
