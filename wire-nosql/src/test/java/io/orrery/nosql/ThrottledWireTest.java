package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Patience;
import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a client sees when its container's throughput is spent; time stands still. */
class ThrottledWireTest {
  private static final String KEY = "x-ms-documentdb-partitionkey";

  @Test
  void spentThroughputIsToldWithTheTimeToWaitAndTheReason() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(() -> 1);
    try (var storage = new MemoryStorage();
        var server =
            new ServerFixture(
                ServerFixture.config(), OrreryDatabase.open(storage, settings), Patience.USUAL);
        var client = server.client()) {
      client.post("dbs", "{\"id\":\"d\"}");
      client.post(
          "dbs/d/colls",
          "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}");
      Reply reply = client.get("dbs/d/colls/c/docs/1", KEY, "[\"\\u00e9\"]");
      for (int i = 0; i < 1_000 && reply.status() == 404; i++) {
        reply = client.get("dbs/d/colls/c/docs/1", KEY, "[\"\\u00e9\"]");
      }
      assertEquals(
          "range=0;budget=400.00;hottestKey=[\"\\u00e9\"];hottestShare=1.00",
          reply.header("x-orrery-throttled-by"));
      String query = "{\"query\":\"SELECT * FROM c\"}";
      assertSpent(
          client.post(
              "dbs/d/colls/c/docs",
              query,
              "Content-Type",
              "application/query+json",
              "x-ms-documentdb-isquery",
              "true",
              "x-ms-documentdb-query-enablecrosspartition",
              "true"));
      assertSpent(client.get("dbs/d/colls/c/docs"));
      assertSpent(reply);
      assertEquals(200, client.get("dbs/d/colls/c").status(), "metadata is not of its throughput");
    }
  }

  @Test
  void tokensDoNotLearnKeysOfOthers() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(() -> 1);
    try (var storage = new MemoryStorage();
        var server =
            new ServerFixture(
                ServerFixture.config(), OrreryDatabase.open(storage, settings), Patience.USUAL);
        var client = server.client()) {
      client.post("dbs", "{\"id\":\"d\"}");
      client.post("dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
      client.post("dbs/d/users", "{\"id\":\"u\"}");
      String permission =
          "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\","
              + "\"resourcePartitionKey\":[\"smith\"]}";
      Reply made = client.post("dbs/d/users/u/permissions", permission);
      assertEquals(201, made.status(), made.body());
      Reply own = client.get("dbs/d/colls/c/docs/1", KEY, "[\"jones\"]");
      for (int i = 0; i < 1_000 && own.status() == 404; i++) {
        own = client.get("dbs/d/colls/c/docs/1", KEY, "[\"jones\"]");
      }
      assertTrue(own.header("x-orrery-throttled-by").contains("jones"));
      String token = URLEncoder.encode(made.text("_token"), StandardCharsets.UTF_8);
      var shown = new Signature.Signed(token, Signature.now().date());
      Reply reply = client.sendSigned(shown, "GET", "dbs/d/colls/c/docs/1", "", KEY, "[\"smith\"]");
      assertEquals(429, reply.status(), reply.body());
      assertEquals("range=0;budget=400.00", reply.header("x-orrery-throttled-by"));
    }
  }

  private static void assertSpent(Reply reply) {
    assertEquals(429, reply.status(), reply.body());
    assertEquals("3200", reply.header("x-ms-substatus"));
    assertEquals("251", reply.header("x-ms-retry-after-ms"));
    assertTrue(reply.body().contains("TooManyRequests"), reply.body());
    assertTrue(reply.body().contains("Request rate is large."), reply.body());
  }
}
