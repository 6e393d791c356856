package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
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
      assertEquals(429, reply.status(), reply.body());
      assertEquals("3200", reply.header("x-ms-substatus"));
      assertEquals("1", reply.header("x-ms-retry-after-ms"));
      assertEquals(
          "range=0;budget=400.00;hottestKey=[\"\\u00e9\"];hottestShare=1.00",
          reply.header("x-orrery-throttled-by"));
      assertTrue(reply.body().contains("TooManyRequests"), reply.body());
      assertTrue(reply.body().contains("Request rate is large."), reply.body());
    }
  }
}
