package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.nosql.WireClient.Reply;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Items over the wire, in a container of five partitions. */
@ExtendWith(QuietLog.class)
class ItemWireTest {
  private static final String KEY = "x-ms-documentdb-partitionkey";
  private static final String ITEMS = "dbs/d/colls/c/docs";
  private static ServerFixture server;
  private static WireClient client;
  private Reply container;

  @BeforeAll
  static void start() {
    server = new ServerFixture();
    client = server.client();
    client.post("dbs", "{\"id\":\"d\"}");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void emptyContainer() {
    client.delete("dbs/d/colls/c");
    container =
        client.post(
            "dbs/d/colls",
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}",
            "x-ms-offer-throughput",
            "50000");
    assertEquals(201, container.status(), container.body());
  }

  private static Reply create(String body, String... headers) {
    return client.post(ITEMS, body, headers);
  }

  private static Reply createOne() {
    return create("{\"id\":\"1\",\"pk\":\"a\",\"n\":1}", KEY, "[\"a\"]");
  }

  private static Reply patch(String body, String... headers) {
    var all = new ArrayList<>(List.of(KEY, "[\"a\"]"));
    all.addAll(List.of(headers));
    return client.send("PATCH", ITEMS + "/1", body, all.toArray(new String[0]));
  }

  @Test
  void aBulkShowsAsMuchAsAPageHas() {
    String text = "x".repeat(1_900_000);
    assertEquals(201, create("{\"id\":\"1\",\"pk\":\"a\",\"text\":\"" + text + "\"}").status());
    String step =
        "{\"operationType\":\"Patch\",\"id\":\"1\",\"partitionKey\":\"[\\\"a\\\"]\",\"resourceBody\":"
            + "{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]}}";
    String steps = "[" + String.join(",", Collections.nCopies(4, step)) + "]";
    Reply reply = client.post(ITEMS, steps, "x-ms-cosmos-is-batch-request", "True");
    assertEquals(200, reply.status());
    assertEquals(4, reply.body().split("\"eTag\"", -1).length - 1);
    assertEquals(2, reply.body().split("\"resourceBody\"", -1).length - 1);
  }

  @Test
  void anItemLivesAndDies() {
    Reply created = createOne();
    assertEquals(201, created.status());
    assertEquals(created.text("_etag"), created.header("etag"));
    Reply read = client.get(ITEMS + "/1", KEY, "[\"a\"]");
    assertEquals(200, read.status());
    assertEquals(created.body(), read.body());
    assertEquals(409, createOne().status());

    String changed = "{\"id\":\"1\",\"pk\":\"a\",\"n\":2}";
    Reply replaced = client.put(ITEMS + "/1", changed, KEY, "[\"a\"]");
    assertEquals(200, replaced.status());
    assertEquals(Value.of(2L), replaced.at("n"));
    Reply upserted = create(changed, "x-ms-documentdb-is-upsert", "True", KEY, "[\"a\"]");
    assertEquals(200, upserted.status());
    Reply deleted = client.delete(ITEMS + "/1", KEY, "[\"a\"]");
    assertEquals(204, deleted.status());
    assertEquals("", deleted.body());
    assertEquals(
        201, create(changed, "x-ms-documentdb-is-upsert", "true", KEY, "[\"a\"]").status());
  }

  @Test
  void systemPropertiesFollowTheClientsOwn() {
    Reply created = create("{\"b\":{},\"_ts\":1,\"id\":\"\u00fc 1\",\"pk\":\"a\",\"_rid\":\"x\"}");
    String rid = created.text("_rid");
    String self = container.text("_self") + "docs/" + rid + "/";
    String etag = created.header("etag").replace("\"", "\\\"");
    Value.Int64 time = (Value.Int64) created.at("_ts");
    assertEquals(
        "{\"b\":{},\"id\":\"\u00fc 1\",\"pk\":\"a\",\"_rid\":\""
            + rid
            + "\",\"_self\":\""
            + self
            + "\",\"_etag\":\""
            + etag
            + "\",\"_attachments\":\"attachments/\",\"_ts\":"
            + time.value()
            + "}",
        created.body());
    assertEquals(200, client.get(ITEMS + "/\u00fc 1", KEY, "[\"a\"]").status());
    Reply byRid =
        client.sendSigned(
            Signature.now().signed("GET", "docs", rid.toLowerCase(Locale.ROOT)),
            "GET",
            self.substring(0, self.length() - 1),
            "",
            KEY,
            "[\"a\"]");
    assertEquals(created.body(), byRid.body());
  }

  @Test
  void answersTellTheirPartitionAndPrice() {
    Reply created = createOne();
    String range = created.header("x-ms-documentdb-partitionkeyrangeid");
    assertTrue(range.matches("[0-4]"), range);
    assertEquals(range + ":-1#" + created.header("lsn"), created.header("x-ms-session-token"));
    assertEquals(created.header("lsn"), created.header("x-ms-item-lsn"));
    assertEquals("dbs/d/colls/c", created.header("x-ms-alt-content-path"));
    assertEquals(container.text("_rid"), created.header("x-ms-content-path"));
    assertTrue(Double.parseDouble(created.header("x-ms-request-charge")) > 1);
    Reply read = client.get(ITEMS + "/1", KEY, "[\"a\"]");
    assertEquals("1", read.header("x-ms-request-charge"));
    assertEquals(range, read.header("x-ms-documentdb-partitionkeyrangeid"));
  }

  @Test
  void minimalAnswersHaveNoBody() {
    Reply created =
        create("{\"id\":\"1\",\"pk\":\"a\"}", KEY, "[\"a\"]", "Prefer", "return=minimal");
    assertEquals(201, created.status());
    assertEquals("", created.body());
    assertTrue(created.header("etag").startsWith("\""));
    assertTrue(created.header("x-ms-session-token").contains(":-1#"));
    Reply read = client.get(ITEMS + "/1", KEY, "[\"a\"]", "Prefer", "return=minimal");
    assertEquals("1", read.text("id"));
  }

  @Test
  void conditionsAreKept() {
    String etag = createOne().header("etag");
    Reply known = client.get(ITEMS + "/1", KEY, "[\"a\"]", "If-None-Match", etag);
    assertEquals(304, known.status());
    assertEquals(etag, known.header("etag"));
    assertEquals("", known.body());
    String changed = "{\"id\":\"1\",\"pk\":\"a\",\"n\":2}";
    Reply replaced = client.put(ITEMS + "/1", changed, KEY, "[\"a\"]", "If-Match", etag);
    assertEquals(200, replaced.status());
    Reply stale = client.put(ITEMS + "/1", changed, KEY, "[\"a\"]", "If-Match", etag);
    assertEquals(412, stale.status());
    assertEquals("PreconditionFailed", stale.text("code"));
    assertEquals(412, client.delete(ITEMS + "/1", KEY, "[\"a\"]", "If-Match", etag).status());
    assertEquals(204, client.delete(ITEMS + "/1", KEY, "[\"a\"]", "If-Match", "*").status());
  }

  @Test
  void patchesAreApplied() {
    createOne();
    Reply patched =
        patch(
            "{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":2},"
                + "{\"op\":\"set\",\"path\":\"/x~1y\",\"value\":[1]}],"
                + "\"condition\":\"from c where c.n = 1\"}");
    assertEquals(200, patched.status(), patched.body());
    assertEquals(Value.of(3L), patched.at("n"));
    assertTrue(patched.body().contains("\"x/y\":[1]"), patched.body());
    assertEquals(200, patch("[{\"op\":\"remove\",\"path\":\"/n\"}]").status());
    Reply refused =
        patch(
            "{\"operations\":[{\"op\":\"remove\",\"path\":\"/x~1y\"}],"
                + "\"condition\":\"from c where c.n = 1\"}");
    assertEquals(412, refused.status());
    assertEquals("1110", refused.header("x-ms-substatus"));
    assertEquals(400, patch("[{\"op\":\"set\",\"path\":\"/pk\",\"value\":\"b\"}]").status());
  }

  @Test
  void refusalsCarryTheirCodes() {
    createOne();
    Reply mismatch = create("{\"id\":\"2\",\"pk\":\"b\"}", KEY, "[\"a\"]");
    assertEquals(400, mismatch.status());
    assertEquals("1001", mismatch.header("x-ms-substatus"));
    Reply missing = client.get(ITEMS + "/9", KEY, "[\"a\"]");
    assertEquals(404, missing.status());
    assertEquals("", missing.header("x-ms-substatus"));
    assertEquals("NotFound", missing.text("code"));
    assertTrue(missing.text("message").contains("\r\nActivityId: "), missing.body());
    Reply noOwner = client.get("dbs/d/colls/none/docs/1", KEY, "[\"a\"]");
    assertEquals(404, noOwner.status());
    assertEquals("1003", noOwner.header("x-ms-substatus"));
    Reply stale =
        client.get(
            ITEMS + "/1", KEY, "[\"a\"]", "x-ms-cosmos-intended-collection-rid", "DJB7AI1lZHo=");
    assertEquals(400, stale.status());
    assertEquals("1024", stale.header("x-ms-substatus"));
    String large = "{\"id\":\"3\",\"pk\":\"a\",\"x\":\"" + "x".repeat(2 << 20) + "\"}";
    Reply tooLarge = create(large, KEY, "[\"a\"]");
    assertEquals(413, tooLarge.status());
    assertEquals("RequestEntityTooLarge", tooLarge.text("code"));
    for (String body : List.of("", "{", "[]", "{\"pk\":\"a\"}", "{\"id\":1,\"pk\":\"a\"}")) {
      assertEquals(400, create(body, KEY, "[\"a\"]").status(), body);
    }
    assertEquals(400, create("{\"id\":\"4\",\"pk\":\"a\"}", KEY, "a").status());
    assertEquals(
        400,
        create("{\"id\":\"4\",\"pk\":\"a\"}", "x-ms-documentdb-pre-trigger-include", "t").status());
    assertEquals(
        400, client.get(ITEMS + "/1", KEY, "[\"a\"]", "x-ms-consistency-level", "Strong").status());
  }

  @Test
  void feedsGoOnWhereTheyStopped() {
    for (int i = 0; i < 20; i++) {
      assertEquals(201, create("{\"id\":\"" + i + "\",\"pk\":\"" + i + "\"}").status());
    }
    Reply all = client.get(ITEMS);
    assertEquals(Value.of(20L), all.at("_count"));
    assertEquals(container.text("_rid"), all.text("_rid"));
    int found = 0;
    String continuation = "";
    do {
      Reply page = client.get(ITEMS, "x-ms-max-item-count", "7", "x-ms-continuation", continuation);
      assertEquals(200, page.status(), page.body());
      found += Integer.parseInt(page.header("x-ms-item-count"));
      continuation = page.header("x-ms-continuation");
    } while (!continuation.isEmpty());
    assertEquals(20, found);
    assertEquals("7", client.get(ITEMS, KEY, "[\"7\"]").all("Documents", "id"));
    int inRanges = 0;
    for (int range = 0; range < 5; range++) {
      Reply page = client.get(ITEMS, "x-ms-documentdb-partitionkeyrangeid", "" + range);
      inRanges += Integer.parseInt(page.header("x-ms-item-count"));
    }
    assertEquals(20, inRanges);
    assertEquals(400, client.get(ITEMS, "x-ms-continuation", "forged").status());
  }

  @Test
  void aLogicalPartitionIsDeletedAtOnce() {
    createOne();
    create("{\"id\":\"2\",\"pk\":\"b\"}");
    String path = "dbs/d/colls/c/operations/partitionkeydelete";
    var signed = Signature.now().signed("POST", "colls", "dbs/d/colls/c");
    Reply deleted = client.sendSigned(signed, "POST", path, "", KEY, "[\"a\"]");
    assertEquals(200, deleted.status(), deleted.body());
    assertEquals(404, client.get(ITEMS + "/1", KEY, "[\"a\"]").status());
    assertEquals(200, client.get(ITEMS + "/2", KEY, "[\"b\"]").status());
    assertEquals(400, client.sendSigned(signed, "POST", path, "").status());
  }

  @Test
  void keysOfEveryTypeAreFound() {
    for (String key : List.of("5", "1.5E10", "true", "null", "\"\\u53F0\"", "-0.0")) {
      String body = "{\"id\":\"k\",\"pk\":" + key + "}";
      assertEquals(201, create(body, KEY, "[" + key + "]").status(), key);
      assertEquals(200, client.get(ITEMS + "/k", KEY, "[" + key + "]").status(), key);
    }
    assertEquals(201, create("{\"id\":\"k\"}", KEY, "[{}]").status());
    assertEquals(200, client.get(ITEMS + "/k", KEY, "[{}]").status());
    assertEquals(200, client.get(ITEMS + "/k", KEY, "[5.0]").status());
  }
}
