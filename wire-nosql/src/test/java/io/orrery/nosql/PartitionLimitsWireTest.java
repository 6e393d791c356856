package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Conversation;
import io.orrery.http.Patience;
import io.orrery.memory.MemoryStorage;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.ReshapeStep;
import io.orrery.value.Value;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What clients are told at the limits of partitions, and while partitions split for them. */
@ExtendWith(QuietLog.class)
class PartitionLimitsWireTest {
  private static final Limits SMALL = Limits.SEEDS.withPartitionBytes(20_000, 60_000);
  private static final String KEYED =
      "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final String ITEMS = "dbs/d/colls/c/docs";
  private static final String KEY = "x-ms-documentdb-partitionkey";

  /** What a test does with a server. */
  private interface Conversation {
    void with(WireClient client) throws InterruptedException;
  }

  private static void converse(Limits limits, Conversation conversation)
      throws InterruptedException {
    converse(limits, step -> {}, conversation);
  }

  private static void converse(
      Limits limits, Consumer<ReshapeStep> watcher, Conversation conversation)
      throws InterruptedException {
    var settings = DatabaseSettings.of(limits).watchedBy(watcher);
    try (var storage = new MemoryStorage();
        var server =
            new ServerFixture(
                ServerFixture.config(), OrreryDatabase.open(storage, settings), Patience.USUAL);
        var client = server.client()) {
      assertEquals(201, client.post("dbs", "{\"id\":\"d\"}").status());
      conversation.with(client);
    }
  }

  private static void create(WireClient client, String definition, int units) {
    Reply made = client.post("dbs/d/colls", definition, "x-ms-offer-throughput", "" + units);
    assertEquals(201, made.status(), made.body());
  }

  private static String item(String id, String pk, int bytes) {
    return "{\"id\":\"%s\",\"pk\":\"%s\",\"t\":\"%s\"}".formatted(id, pk, "x".repeat(bytes));
  }

  private static Reply put(WireClient client, String id, String pk, int bytes) {
    return client.post(ITEMS, item(id, pk, bytes), KEY, "[\"" + pk + "\"]");
  }

  @Test
  void fullLogicalPartitionTakesNothingThatGrows() throws InterruptedException {
    converse(
        SMALL,
        client -> {
          create(client, KEYED, 1_000);
          int id = 0;
          Reply last = put(client, "0", "a", 1_000);
          while (last.status() == 201) {
            last = put(client, "" + ++id, "a", 1_000);
          }
          assertTrue(id > 10, last::body);
          assertFull(last);
          String key = "[\"a\"]";
          String upsert = "x-ms-documentdb-is-upsert";
          assertFull(client.post(ITEMS, item("new", "a", 1_000), KEY, key, upsert, "true"));
          assertFull(client.post(ITEMS, item("0", "a", 3_000), KEY, key, upsert, "true"));
          assertFull(client.put(ITEMS + "/0", item("0", "a", 3_000), KEY, key));
          String grow =
              "{\"operations\":[{\"op\":\"set\",\"path\":\"/more\",\"value\":\"%s\"}]}"
                  .formatted("y".repeat(2_000));
          assertFull(client.send("PATCH", ITEMS + "/0", grow, KEY, key));

          assertEquals(201, put(client, "0", "b", 1_000).status(), "other keys have room");
          assertEquals(200, client.get(ITEMS + "/0", KEY, key).status());
          assertEquals(200, client.put(ITEMS + "/0", item("0", "a", 900), KEY, key).status());
          String shrink = "{\"operations\":[{\"op\":\"remove\",\"path\":\"/t\"}]}";
          assertEquals(200, client.send("PATCH", ITEMS + "/0", shrink, KEY, key).status());
          assertEquals(204, client.delete(ITEMS + "/1", KEY, key).status());
          assertEquals(201, put(client, "again", "a", 1_000).status());
        });
  }

  private static void assertFull(Reply reply) {
    assertEquals(403, reply.status(), reply.body());
    assertEquals("1014", reply.header("x-ms-substatus"));
    assertTrue(reply.body().contains("Partition key reached maximum size"), reply.body());
  }

  @Test
  void containerThatMayNotSplitIsFullAtItsPartitionsSize() throws InterruptedException {
    converse(
        SMALL,
        client -> {
          create(client, KEYED, 400);
          int id = 0;
          Reply last = put(client, "0", "k0", 1_000);
          while (last.status() == 201) {
            id++;
            last = put(client, "" + id, "k" + id % 10, 1_000);
          }
          assertEquals(403, last.status(), last.body());
          assertEquals("", last.header("x-ms-substatus"));
          assertTrue(last.body().contains("may not split"), last.body());
          assertEquals(204, client.delete(ITEMS + "/0", KEY, "[\"k0\"]").status());
          assertEquals(201, put(client, "0", "k0", 900).status());
        });
  }

  @Test
  void offerAboveWhatAContainerThatMayNotSplitCarriesIsRefused() throws InterruptedException {
    converse(
        Limits.SEEDS,
        client -> {
          create(client, KEYED, 400);
          Reply refused = offer(client, 10_100);
          assertEquals(400, refused.status(), refused.body());
          assertTrue(refused.body().contains("may not split"), refused.body());
          assertTrue(refused.body().contains("10000 or less"), refused.body());
          Reply most = offer(client, 10_000);
          assertEquals(200, most.status(), most.body());
        });
  }

  @Test
  void throughputKeepsToMinimumAndStepsUnderBothPresets() throws InterruptedException {
    for (Limits limits : new Limits[] {Limits.SEEDS, Limits.TODAY}) {
      converse(
          limits,
          client -> {
            assertRefusedAtCreation(client, "x-ms-offer-throughput", "300", "400 or more");
            assertRefusedAtCreation(client, "x-ms-offer-throughput", "450", "400 or 500");
            String autoscale = "x-ms-cosmos-offer-autopilot-settings";
            assertRefusedAtCreation(client, autoscale, "{\"maxThroughput\":500}", "1000 or more");
            assertRefusedAtCreation(client, autoscale, "{\"maxThroughput\":1500}", "1000 or 2000");
            create(client, KEYED, 1_000);
            assertEquals(400, offer(client, 1_050).status());
            assertEquals(400, offer(client, 300).status());
            assertEquals(200, offer(client, 400).status());
          });
    }
  }

  private static void assertRefusedAtCreation(
      WireClient client, String header, String value, String cure) {
    Reply refused = client.post("dbs/d/colls", KEYED, header, value);
    assertEquals(400, refused.status(), refused.body());
    assertTrue(refused.body().contains(cure), refused.body());
  }

  @Test
  void replaceIsPendingWhileSplitsRunAndLoweringMovesNothing() throws InterruptedException {
    var held = new CountDownLatch(1);
    converse(
        Limits.SEEDS,
        step -> {
          if (step == ReshapeStep.INTENDED) {
            await(held);
          }
        },
        client -> {
          create(client, KEYED, 10_000);
          assertEquals("false", read(client).header("x-ms-offer-replace-pending"));
          Reply raised = offer(client, 40_000);
          assertEquals(200, raised.status(), raised.body());
          assertEquals("true", raised.header("x-ms-offer-replace-pending"));
          assertEquals("true", read(client).header("x-ms-offer-replace-pending"));
          held.countDown();
          while (read(client).header("x-ms-offer-replace-pending").equals("true")) {
            Thread.onSpinWait();
          }
          String ranges = ranges(client);
          assertEquals(4, ranges.split(" ").length, ranges);

          Reply tooLow = offer(client, 300);
          assertEquals(400, tooLow.status(), tooLow.body());
          Reply lowered = offer(client, 400);
          assertEquals(200, lowered.status(), lowered.body());
          assertEquals("400", lowered.header("x-ms-cosmos-min-throughput"));
          assertEquals("false", lowered.header("x-ms-offer-replace-pending"));
          assertEquals(Value.of(400L), read(client).at("content", "offerThroughput"));
          assertEquals(ranges, ranges(client));
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String ranges(WireClient client) {
    return client.get("dbs/d/colls/c/pkranges").all("PartitionKeyRanges", "id");
  }

  private static String rid(WireClient client) {
    return client.get("offers").all("Offers", "_rid");
  }

  private static Reply read(WireClient client) {
    String rid = rid(client);
    return client.sendByRid("GET", "offers/" + rid, "offers", rid, "");
  }

  private static Reply offer(WireClient client, int units) {
    String rid = rid(client);
    String body = "{\"content\":{\"offerThroughput\":" + units + "}}";
    return client.sendByRid("PUT", "offers/" + rid, "offers", rid, body);
  }
}
