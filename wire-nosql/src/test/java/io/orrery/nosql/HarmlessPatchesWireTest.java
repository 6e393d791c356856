package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Patience;
import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Patches that were found to harm the writes of others, or the item itself. */
class HarmlessPatchesWireTest {
  private static final String ITEMS = "dbs/d/colls/c/docs";
  private static final String KEY = "x-ms-documentdb-partitionkey";

  private final MemoryStorage storage = new MemoryStorage();
  private final ServerFixture server =
      new ServerFixture(
          ServerFixture.config(),
          OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS)),
          Patience.USUAL);
  private final WireClient client = server.client();

  @BeforeEach
  void create() {
    client.post("dbs", "{\"id\":\"d\"}");
    client.post(
        "dbs/d/colls",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}");
    String numbers =
        IntStream.range(0, 200).mapToObj(Integer::toString).collect(Collectors.joining(","));
    String body = "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"l\":[" + numbers + "]}";
    assertEquals(201, client.post(ITEMS, body, KEY, "[\"a\"]").status());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    storage.close();
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void aConditionThatCannotBeDecidedIsRefusedAndFailsNoOtherWrite() throws Exception {
    List<String> conditions =
        List.of(
            "FROM (SELECT DISTINCT VALUE c.id FROM c) x WHERE x = '1'",
            "FROM c WHERE (SELECT VALUE COUNT(1) FROM x IN c.l JOIN y IN c.l JOIN z IN c.l"
                + " JOIN w IN c.l WHERE x + y + z + w < 0) > 0");
    for (String condition : conditions) {
      String patch =
          "{\"condition\":\""
              + condition
              + "\",\"operations\":[{\"op\":\"incr\",\"path\":\"/n\","
              + "\"value\":1}]}";
      try (var attacker = server.client()) {
        CompletableFuture<Reply> refused =
            CompletableFuture.supplyAsync(
                () -> attacker.send("PATCH", ITEMS + "/1", patch, KEY, "[\"a\"]"));
        do {
          Reply created = client.post(ITEMS, "{\"id\":\"b\",\"pk\":\"b\"}", KEY, "[\"b\"]");
          assertEquals(201, created.status(), created.body());
          assertEquals(204, client.delete(ITEMS + "/b", KEY, "[\"b\"]").status());
        } while (!refused.isDone());
        int status = refused.get().status();
        assertTrue(status == 400 || status == 408, status + " " + refused.get().body());
      }
    }
  }

  @Test
  void aPatchThatNestsTooDeeplyIsRefusedAndTheItemStaysAsItWas() {
    String deep = "[".repeat(100) + "]".repeat(100);
    assertEquals(200, patch("/deep", deep).status());
    assertEquals(400, patch("/deep" + "/0".repeat(100), "[".repeat(28) + "]".repeat(28)).status());
    assertEquals(200, patch("/deep" + "/0".repeat(100), "[".repeat(27) + "]".repeat(27)).status());
    String same = "{\"id\":\"1\",\"pk\":\"a\"}";
    assertEquals(200, client.put(ITEMS + "/1", same, KEY, "[\"a\"]").status());
    assertEquals(204, client.delete(ITEMS + "/1", KEY, "[\"a\"]").status());
  }

  private Reply patch(String path, String value) {
    String body =
        "{\"operations\":[{\"op\":\"add\",\"path\":\"" + path + "\",\"value\":" + value + "}]}";
    return client.send("PATCH", ITEMS + "/1", body, KEY, "[\"a\"]");
  }
}
