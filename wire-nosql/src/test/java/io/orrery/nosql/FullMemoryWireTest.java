package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Patience;
import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import org.junit.jupiter.api.Test;

/** What a client sees when writes of others fill the memory that the server has for them. */
class FullMemoryWireTest {

  @Test
  void aWriteThatFindsNoMemoryIsToldWhenToComeAgain() {
    Memory memory = Memory.process();
    try (var storage = new MemoryStorage();
        var server =
            new ServerFixture(
                ServerFixture.config(),
                OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS)),
                Patience.USUAL);
        var client = server.client()) {
      client.post("dbs", "{\"id\":\"d\"}");
      client.post(
          "dbs/d/colls",
          "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}");
      long others = memory.boundBytes(Lane.WAITING_WRITES);
      assertTrue(memory.tryTake(Lane.WAITING_WRITES, others));
      try {
        Reply refused = create(client);
        assertEquals(503, refused.status(), refused.body());
        assertEquals("1", refused.header("Retry-After"));
      } finally {
        memory.giveBack(Lane.WAITING_WRITES, others);
      }
      assertEquals(201, create(client).status());
    }
  }

  private static Reply create(WireClient client) {
    return client.post(
        "dbs/d/colls/c/docs",
        "{\"id\":\"1\",\"pk\":\"a\"}",
        "x-ms-documentdb-partitionkey",
        "[\"a\"]");
  }
}
