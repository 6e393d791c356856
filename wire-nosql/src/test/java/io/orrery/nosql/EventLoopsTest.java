package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.AccountAccess;
import io.orrery.http.AuditTrail;
import io.orrery.http.OwnHosts;
import io.orrery.http.Patience;
import io.orrery.http.RequestObserver;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Bytes;
import io.orrery.operation.Operation;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
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

  @Test
  void pagesAreMadeElsewhere() {
    Map<String, String> threads = new ConcurrentHashMap<>();
    PublicPage page =
        signed -> {
          threads.put("page", Thread.currentThread().getName());
          return new Page(200, "text/plain", Bytes.utf8("ready"));
        };
    NosqlConfig config =
        ServerFixture.config(Map.of("/ready", page), RequestObserver.NONE, Duration.ofSeconds(10));
    try (var server = new ServerFixture(config, ServerFixture.emptyDatabase(), Patience.USUAL);
        var client = server.connect()) {
      client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(200, Objects.requireNonNull(client.reply()).status());
    }
    String thread = String.valueOf(threads.get("page"));
    assertTrue(thread.startsWith("nosql-page"), thread);
  }

  /** Also when it loads classes, and when a request that was sent ahead follows it. */
  @Test
  void aTaskThatHoldsALoopIsCounted() throws Exception {
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    awaitWarm();
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 0);
    try (var server = new ServerFixture(computingFor(30_000_000), late, Patience.USUAL);
        var client = server.connect()) {
      client.send(
          ("POST /dbs HTTP/1.1\r\nHost: a\r\n" + Signature.now().lines("POST", "dbs"))
              + "Content-Length: 10\r\n\r\n{\"id\":\"d\"}"
              + "GET /dbs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      late.allow(1);
      VitalsCheck.provoked(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
      assertEquals(201, Objects.requireNonNull(client.reply()).status());
      assertEquals(401, Objects.requireNonNull(client.reply()).status());
    }
    assertEquals(before + 1, Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK));
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

  /** A server whose audit trail takes so much processor time of event loops. */
  private static NosqlConfig computingFor(long nanos) {
    AuditTrail slow =
        new AuditTrail() {
          @Override
          public void refused(Event event) {}

          @Override
          public void changed(Event event) {
            var _ = Proxy.newProxyInstance(new ClassLoader() {}, new Class<?>[0], (_, _, _) -> 0);
            long end = ProcessorTime.nanos() + nanos;
            while (ProcessorTime.nanos() < end) {
              Thread.onSpinWait();
            }
          }
        };
    return ServerFixture.config(new AccountAccess(() -> ServerFixture.KEYS, OwnHosts.ANY, slow));
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
