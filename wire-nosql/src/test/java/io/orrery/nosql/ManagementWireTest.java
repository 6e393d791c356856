package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Patience;
import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.VirtualClock;
import io.orrery.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Partitions seen, split and merged over the wire, by a clock that stands still. */
@ExtendWith(QuietLog.class)
class ManagementWireTest {
  private static final String PARTITIONS = "_orrery/databases/d/containers/c/partitions";

  private ServerFixture server;
  private WireClient client;

  @BeforeEach
  void start() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(new VirtualClock());
    server =
        new ServerFixture(
            ServerFixture.config(),
            OrreryDatabase.open(new MemoryStorage(), settings),
            Patience.USUAL);
    client = server.client();
    client.post("dbs", "{\"id\":\"d\"}");
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    assertEquals(
        201, client.post("dbs/d/colls", container, "x-ms-offer-throughput", "1000").status());
    for (int i = 0; i < 20; i++) {
      String item = "{\"id\":\"" + i + "\",\"pk\":\"k" + i + "\"}";
      assertEquals(201, client.post("dbs/d/colls/c/docs", item).status());
    }
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Signed as the account is read: over an empty type and link. */
  private Reply send(String key, String verb, String path, String body) {
    return client.sendSigned(Signature.now(key).signed(verb, "", ""), verb, path, body);
  }

  private Reply get(String path) {
    return send(client.key(), "GET", path, "");
  }

  private Reply post(String path, String body) {
    return send(client.key(), "POST", path, body);
  }

  private static void refused(int status, Reply reply) {
    assertEquals(status, reply.status(), reply.body());
    assertTrue(!reply.text("code").isEmpty() && !reply.text("message").isEmpty(), reply.body());
  }

  @Test
  void containersAndTheirPartitionsAreTold() {
    Reply containers = get("_orrery/databases");
    assertEquals(200, containers.status(), containers.body());
    assertEquals("c", containers.all("containers", "container"));
    Reply partitions = get(PARTITIONS);
    assertEquals(200, partitions.status(), partitions.body());
    assertEquals("0", partitions.all("partitions", "id"));
    assertEquals(Value.of(1000L), partitions.at("throughput", "unitsPerSecond"));
    assertTrue(partitions.body().contains("\"largestKeys\":[{\"key\":[\"k"), partitions.body());
  }

  @Test
  void splitsAreSteppedThroughAndMergesRun() {
    Reply begun = post(PARTITIONS + "/0/split", "{\"mode\":\"midpoint\",\"stepped\":true}");
    assertEquals(202, begun.status(), begun.body());
    assertEquals("Preparing", begun.text("phase"));
    String operation = "_orrery/operations/" + begun.text("id");
    refused(409, post(PARTITIONS + "/0/split", ""));
    assertEquals("Swapping", post(operation + "/advance", "").text("phase"));
    assertEquals(201, client.post("dbs/d/colls/c/docs", "{\"id\":\"x\",\"pk\":\"x\"}").status());
    assertEquals("Succeeded", post(operation + "/advance", "").text("phase"));
    refused(400, post(operation + "/advance", ""));
    assertEquals("1 2", get(PARTITIONS).all("partitions", "id"));
    Reply merge = post(PARTITIONS + "/merge", "{\"ids\":[\"1\",\"2\"]}");
    assertEquals(202, merge.status(), merge.body());
    awaitEnd("_orrery/operations/" + merge.text("id"));
    assertEquals("3", get(PARTITIONS).all("partitions", "id"));
    Reply events = get("_orrery/operations");
    assertEquals("merge split", events.all("operations", "kind"));
  }

  private void awaitEnd(String operation) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!get(operation).text("phase").equals("Succeeded")) {
      assertTrue(System.nanoTime() < deadline, get(operation).body());
      Thread.onSpinWait();
    }
  }

  @Test
  void eventsAreThoseOfAContainer() {
    assertEquals(200, events("container=d/c"));
    assertEquals(200, events("container=d%2Fc"));
    assertEquals(404, events("container=d/none"));
    assertEquals(400, events("container=d"));
    assertEquals(400, events("container=%F0"));
    assertEquals(400, events("since=1"));
  }

  private int events(String query) {
    var signature = Signature.now();
    String head =
        ("GET /_orrery/operations?" + query + " HTTP/1.1\r\nHost: localhost\r\n")
            + ("authorization: " + signature.of("GET", "", "") + "\r\n")
            + ("x-ms-date: " + signature.date() + "\r\n\r\n");
    try (var raw = server.connect()) {
      RawClient.Reply reply = raw.send(head).reply();
      assertNotNull(reply);
      return reply.status();
    }
  }

  @Test
  void timePassesWhenItIsTold() {
    assertEquals(Value.of(0L), get("_orrery/clock").at("milliseconds"));
    String item = "{\"id\":\"y\",\"pk\":\"y\"}";
    while (client.post("dbs/d/colls/c/docs", item).status() != 429) {
      assertEquals(Value.of(0L), get("_orrery/clock").at("milliseconds"));
    }
    Reply throttled = client.post("dbs/d/colls/c/docs", item);
    String wait = throttled.header("x-ms-retry-after-ms");
    Reply advanced = post("_orrery/clock/advance", "{\"milliseconds\":" + wait + "}");
    assertEquals(200, advanced.status(), advanced.body());
    assertEquals(409, client.post("dbs/d/colls/c/docs", item).status());
  }

  @Test
  void theSystemsTimeIsNobodysToAdvance() {
    try (var usual = new ServerFixture();
        var other = usual.client()) {
      Reply reply =
          other.sendSigned(Signature.now().signed("GET", "", ""), "GET", "_orrery/clock", "");
      refused(400, reply);
      assertTrue(reply.text("message").contains("--clock virtual"), reply.body());
    }
  }

  @Test
  void readOnlyKeysMayLookAndNoMore() {
    String key = ServerFixture.READ_ONLY_KEY;
    assertEquals(200, send(key, "GET", PARTITIONS, "").status());
    refused(403, send(key, "POST", PARTITIONS + "/0/split", ""));
    refused(403, send(key, "POST", "_orrery/clock/advance", "{\"milliseconds\":1}"));
    refused(401, client.get("_orrery/databases"));
  }

  @Test
  void nonsenseIsRefused() {
    refused(404, get("_orrery/databases/d/containers/none/partitions"));
    refused(404, get("_orrery/databases/none/containers/c/partitions"));
    refused(404, get("_orrery/operations/77"));
    refused(400, get("_orrery/operations/x"));
    refused(404, get("_orrery"));
    refused(404, get("_orrery/databases/d"));
    refused(405, post(PARTITIONS, ""));
    refused(400, post(PARTITIONS + "/9/split", ""));
    for (String body :
        new String[] {
          "[]",
          "{",
          "{\"mode\":\"half\"}",
          "{\"mode\":\"epk\"}",
          "{\"epk\":\"XY\"}",
          "{\"epk\":\"FF\"}",
          "{\"mode\":\"midpoint\",\"epk\":\"20\"}",
          "{\"stepped\":1}",
          "{\"step\":true}"
        }) {
      refused(400, post(PARTITIONS + "/0/split", body));
    }
    for (String body :
        new String[] {
          "", "{\"ids\":[]}", "{\"ids\":[0,1]}", "{\"ids\":[\"0\",\"0\"]}", "{\"ids\":\"0\"}"
        }) {
      refused(400, post(PARTITIONS + "/merge", body));
    }
    for (String body :
        new String[] {"", "{\"milliseconds\":-1}", "{\"milliseconds\":9223372036854775807}"}) {
      refused(400, post("_orrery/clock/advance", body));
    }
    assertEquals("0", get(PARTITIONS).all("partitions", "id"));
  }
}
