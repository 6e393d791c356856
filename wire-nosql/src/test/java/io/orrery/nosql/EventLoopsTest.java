package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Patience;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Operation;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What is done on event loops, and what is kept from them. */
class EventLoopsTest {
  private static final String CONTAINER =
      "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";

  private static String item(String id, int bytes) {
    return "{\"id\":\"" + id + "\",\"pk\":\"a\",\"text\":\"" + "x".repeat(bytes) + "\"}";
  }

  @Test
  void largeBodiesAndTheFirstOfARouteAreWorkedOnElsewhere() {
    Map<String, String> threads = new ConcurrentHashMap<>();
    var database =
        new WatchedDatabase(
            ServerFixture.emptyDatabase(),
            asked ->
                threads.put(asked.getClass().getSimpleName(), Thread.currentThread().getName()));
    try (var server = new ServerFixture(ServerFixture.config(), database, Patience.USUAL);
        var client = server.client()) {
      client.post("dbs", "{\"id\":\"d\"}");
      client.post("dbs/d/colls", CONTAINER);
      assertEquals(201, client.post("dbs/d/colls/c/docs", item("0", 1_000)).status());
      String first = String.valueOf(threads.remove("CreateItem"));
      assertTrue(first.contains("worker"), first);
      assertEquals(201, client.post("dbs/d/colls/c/docs", item("1", 1_000)).status());
      String small = String.valueOf(threads.remove("CreateItem"));
      assertTrue(small.startsWith("nosql-") && !small.contains("worker"), small);
      assertEquals(201, client.post("dbs/d/colls/c/docs", item("2", 20_000)).status());
      String large = String.valueOf(threads.get("CreateItem"));
      assertTrue(large.contains("worker"), large);
      Reply refused = client.post("dbs/d/colls/c/docs", "[" + item("2", 20_000));
      assertEquals(400, refused.status());
    }
  }

  private static void awaitWarm() throws InterruptedException {
    while (Vitals.isWarmingUp()) {
      Thread.sleep(100);
    }
  }

  @Test
  void theAnswerToALargeBatchHoldsNoLoop() throws Exception {
    awaitWarm();
    String junk = String.join(",", Collections.nCopies(1_000_000, "[]"));
    String step =
        "{\"operationType\":\"Read\",\"id\":\"1\",\"minimalReturnPreference\":true,\"x\":[";
    String[] bulk = {
      "x-ms-cosmos-is-batch-request", "True", "x-ms-documentdb-partitionkey", "[\"a\"]"
    };
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    try (var server = new ServerFixture();
        var client = server.client()) {
      client.post("dbs", "{\"id\":\"d\"}");
      client.post("dbs/d/colls", CONTAINER);
      for (int i = 0; i < 4; i++) {
        Reply reply = client.post("dbs/d/colls/c/docs", "[" + step + junk + "]}]", bulk);
        assertEquals(207, reply.status(), reply.body());
      }
    }
    assertEquals(before, Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK));
  }

  @Test
  void anErrorOfARequestIsAnsweredAndCounted() {
    var database =
        new WatchedDatabase(
            ServerFixture.emptyDatabase(),
            asked -> {
              if (asked instanceof Operation.ReadItem) {
                throw new StackOverflowError();
              }
            });
    try (var server = new ServerFixture(ServerFixture.config(), database, Patience.USUAL);
        var client = server.client()) {
      long before = Vitals.occurrences(Vitals.Symptom.UNCAUGHT_ERROR);
      String key = "x-ms-documentdb-partitionkey";
      VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
      assertEquals(500, client.get("dbs/d/colls/c/docs/1", key, "[\"a\"]").status());
      assertEquals(before + 1, Vitals.occurrences(Vitals.Symptom.UNCAUGHT_ERROR));
      assertEquals(404, client.get("dbs/d").status());
    }
  }
}
