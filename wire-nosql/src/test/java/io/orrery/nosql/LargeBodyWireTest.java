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
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches and patches are parsed before their operation is known; their container pays for it. */
class LargeBodyWireTest {
  private static final String DOCS = "dbs/d/colls/c/docs";
  private static final String KEY = "x-ms-documentdb-partitionkey";
  private static final String BATCH = "x-ms-cosmos-is-batch-request";
  private static final String ONE_MEGABYTE = "x".repeat(1 << 20);
  private static final String WITHOUT_END =
      "[{\"operationType\":\"Create\",\"resourceBody\":{\"t\":\"" + ONE_MEGABYTE;
  private static final String NO_STEPS = "[\"" + ONE_MEGABYTE + "\"]";

  private final AtomicLong nanos = new AtomicLong(1);
  private final MemoryStorage storage = new MemoryStorage();
  private final ServerFixture server =
      new ServerFixture(
          ServerFixture.config(),
          OrreryDatabase.open(
              storage, DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(nanos::get)),
          Patience.USUAL);
  private final WireClient client = server.client();

  @BeforeEach
  void create() {
    client.post("dbs", "{\"id\":\"d\"}");
    for (String id : new String[] {"c", "other"}) {
      String definition = "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      assertEquals(201, client.post("dbs/d/colls", definition).status());
    }
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    storage.close();
  }

  private Reply batch(String body) {
    return client.post(
        DOCS, body, KEY, "[\"a\"]", BATCH, "true", "x-ms-cosmos-batch-atomic", "true");
  }

  private Reply bulk(String body) {
    return client.post(DOCS, body, BATCH, "true");
  }

  private Reply patch(String body) {
    return client.send("PATCH", DOCS + "/1", body, KEY, "[\"a\"]");
  }

  /** The first answer has a price, and one of the next tells to wait. */
  private void assertThrottled(int status, Supplier<Reply> request) {
    nanos.addAndGet(Duration.ofSeconds(20).toNanos());
    Reply reply = request.get();
    assertEquals(status, reply.status(), reply.body());
    double charge = Double.parseDouble(reply.header("x-ms-request-charge"));
    assertEquals(146, charge, 1);
    for (int i = 0; i < 10 && reply.status() == status; i++) {
      reply = request.get();
    }
    assertEquals(429, reply.status(), reply.body());
    assertTrue(Integer.parseInt(reply.header("x-ms-retry-after-ms")) > 250);
    assertEquals(0, Double.parseDouble(reply.header("x-ms-request-charge")));
  }

  @Test
  void largeMalformedBodiesAreChargedUntilTheirContainerIsThrottled() {
    for (String body : new String[] {WITHOUT_END, NO_STEPS}) {
      assertThrottled(400, () -> batch(body));
      assertThrottled(400, () -> bulk(body));
      assertThrottled(400, () -> patch(body));
    }
    for (String[] wrong :
        new String[][] {
          {KEY, "[\"a\",\"b\"]"}, {"x-ms-cosmos-intended-collection-rid", "AAAAAAAAAAA="}
        }) {
      assertThrottled(400, () -> client.post(DOCS, NO_STEPS, wrong[0], wrong[1], BATCH, "true"));
    }
    Reply small = batch("[{\"operationType\":");
    assertEquals(400, small.status(), small.body());
    assertEquals(0, Double.parseDouble(small.header("x-ms-request-charge")));
  }

  @Test
  void tokensPayForLargeBodiesThatTheyMayNotSend() {
    client.post("dbs/d/users", "{\"id\":\"u\"}");
    String permission = "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}";
    Reply made = client.post("dbs/d/users/u/permissions", permission);
    String token = URLEncoder.encode(made.text("_token"), StandardCharsets.UTF_8);
    var shown = new Signature.Signed(token, Signature.now().date());
    String item = "{\"id\":\"1\",\"pk\":\"a\",\"t\":\"" + ONE_MEGABYTE + "\"}";
    String step = "{\"operationType\":\"Create\",\"resourceBody\":" + item + "}";
    String[] headers = {KEY, "[\"a\"]", BATCH, "true", "x-ms-cosmos-batch-atomic", "true"};
    String body = "[" + step + "]";
    assertThrottled(403, () -> client.sendSigned(shown, "POST", DOCS, body, headers));
    String foreign = "dbs/d/colls/other/docs";
    for (int i = 0; i < 10; i++) {
      Reply refused = client.sendSigned(shown, "POST", foreign, WITHOUT_END, headers);
      assertEquals(403, refused.status(), refused.body());
    }
    assertEquals(404, client.get(foreign + "/1", KEY, "[\"a\"]").status());
  }
}
