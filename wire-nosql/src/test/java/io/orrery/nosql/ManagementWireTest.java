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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

  /** Reads are signed as the account is read, over an empty type and link; others over it all. */
  private Reply send(String key, String verb, String path, String body) {
    if (verb.equals("GET")) {
      return client.sendSigned(Signature.now(key).signed(verb, "", ""), verb, path, body);
    }
    String digest = Authorization.digest(body.getBytes(StandardCharsets.UTF_8));
    var signed = Signature.now(key).signed(verb, "", path + " " + digest);
    return client.sendSigned(signed, verb, path, body, "x-orrery-content-sha256", digest);
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
  void aCapturedRequestIsGoodForItselfOnly() {
    String body = "{\"milliseconds\":1}";
    String path = "_orrery/clock/advance";
    String digest = Authorization.digest(body.getBytes(StandardCharsets.UTF_8));
    String header = "x-orrery-content-sha256";
    var captured = Signature.now().signed("POST", "", path + " " + digest);
    assertEquals(200, client.sendSigned(captured, "POST", path, body, header, digest).status());
    String split = PARTITIONS + "/0/split";
    refused(401, client.sendSigned(captured, "POST", split, body, header, digest));
    String longer = "{\"milliseconds\":9}";
    refused(401, client.sendSigned(captured, "POST", path, longer, header, digest));
    String other = Authorization.digest(longer.getBytes(StandardCharsets.UTF_8));
    refused(401, client.sendSigned(captured, "POST", path, longer, header, other));
    // What the account is read with changes nothing any more.
    var account = Signature.now().signed("POST", "", "");
    Reply reply = client.sendSigned(account, "POST", path, body);
    refused(401, reply);
    assertTrue(reply.text("message").contains(header), reply.body());
    refused(401, client.sendSigned(account, "POST", path, body, header, digest));
  }

  @Test
  void theSecretIsRotatedAndTokensOfBeforeStayValidOnce() {
    client.post("dbs/d/users", "{\"id\":\"u\"}");
    String definition = "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}";
    String token = client.post("dbs/d/users/u/permissions", definition).text("_token");
    String page =
        client.get("dbs/d/colls/c/docs", "x-ms-max-item-count", "1").header("x-ms-continuation");
    for (int rotations = 0; rotations < 3; rotations++) {
      boolean valid = rotations < 2;
      var shown =
          new Signature.Signed(
              URLEncoder.encode(token, StandardCharsets.UTF_8), Signature.now().date());
      Reply read =
          client.sendSigned(
              shown, "GET", "dbs/d/colls/c/docs/1", "", "x-ms-documentdb-partitionkey", "[\"k1\"]");
      assertEquals(valid ? 200 : 403, read.status(), read.body());
      Reply next =
          client.get("dbs/d/colls/c/docs", "x-ms-max-item-count", "1", "x-ms-continuation", page);
      assertEquals(valid ? 200 : 400, next.status(), next.body());
      Reply rotated = post("_orrery/keys/secret/rotate", "");
      assertEquals(200, rotated.status(), rotated.body());
      assertEquals("secret", rotated.text("rotated"));
    }
  }

  @Test
  void keysThatTheServerDoesNotKeepAreNotRotated() {
    refused(400, post("_orrery/keys/primary/rotate", ""));
    refused(404, post("_orrery/keys/primary", ""));
    refused(403, send(ServerFixture.READ_ONLY_KEY, "POST", "_orrery/keys/secret/rotate", ""));
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
    refused(400, get("_orrery/operations/%D9%A7%D9%A7"));
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
          "{\"epk\":\"\uFF12\uFF10\"}",
          "{\"epk\":\"1\uFF21\"}",
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
