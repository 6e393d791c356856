package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.HttpDate;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Account, databases, containers, ranges and offers over the wire. */
@ExtendWith(QuietLog.class)
class ResourceWireTest {
  private static final String CONTAINER =
      "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final String QUERY = "application/query+json";
  private ServerFixture server;
  private WireClient client;

  @BeforeEach
  void start() {
    server = new ServerFixture();
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Reply createDatabase(String id, String... headers) {
    return client.post("dbs", "{\"id\":\"" + id + "\"}", headers);
  }

  @Test
  void theAccountTellsWhereItIs() {
    Reply reply = client.get("");
    assertEquals(200, reply.status());
    String endpoint = "http://127.0.0.1:" + server.address().getPort() + "/";
    for (String locations : new String[] {"writableLocations", "readableLocations"}) {
      assertEquals(endpoint, reply.all(locations, "databaseAccountEndpoint"));
    }
    assertEquals("Session", reply.text("userConsistencyPolicy", "defaultConsistencyLevel"));
    assertTrue(reply.text("queryEngineConfiguration").startsWith("{\"maxSqlQueryInputLength\""));
    assertFalse(reply.body().contains("thinClient"));
  }

  @Test
  void databasesAreMadeFoundAndDeleted() {
    Reply created = createDatabase("d1");
    assertEquals(201, created.status());
    assertEquals("colls/", created.text("_colls"));
    assertEquals(created.text("_etag"), created.header("etag"));
    assertEquals("dbs/" + created.text("_rid") + "/", created.text("_self"));
    assertEquals(409, createDatabase("d1").status());
    createDatabase("caf\u00e9 d2");

    assertEquals(created.body(), client.get("dbs/d1").body());
    assertEquals(created.body(), client.get("dbs/" + created.text("_rid")).body());
    Reply known = client.get("dbs/d1", "If-None-Match", created.header("etag"));
    assertEquals(304, known.status());
    assertEquals("", known.body());

    assertEquals("d1 caf\u00e9 d2", client.get("dbs").all("Databases", "id"));
    Reply first = client.get("dbs", "x-ms-max-item-count", "1");
    assertEquals("1", first.header("x-ms-item-count"));
    Reply second =
        client.get(
            "dbs",
            "x-ms-max-item-count",
            "1",
            "x-ms-continuation",
            first.header("x-ms-continuation"));
    assertEquals("caf\u00e9 d2", second.all("Databases", "id"));
    assertEquals("", second.header("x-ms-continuation"));

    assertEquals(204, client.delete("dbs/d1").status());
    assertEquals(404, client.get("dbs/d1").status());
    assertEquals(404, client.delete("dbs/d1").status());
  }

  @Test
  void resourcesAreQueried() {
    createDatabase("d1");
    createDatabase("d2");
    String query =
        "{\"query\":\"SELECT * FROM r WHERE r.id = @id\","
            + "\"parameters\":[{\"name\":\"@id\",\"value\":\"d2\"}]}";
    Reply found = client.post("dbs", query, "Content-Type", QUERY);
    assertEquals("d2", found.all("Databases", "id"), found.body());
    String text = "SELECT * FROM r WHERE r.id = 'd1'";
    assertEquals(
        "d1", client.post("dbs", text, "Content-Type", "application/sql").all("Databases", "id"));
    Reply wrong = client.post("dbs", "SELEC", "Content-Type", "application/sql");
    assertEquals(400, wrong.status());
    assertTrue(wrong.text("message").startsWith("Message: {\"errors\":["), wrong.body());
    client.post("dbs/d1/colls", CONTAINER);
    Reply containers = client.post("dbs/d1/colls", query, "x-ms-documentdb-isquery", "True");
    assertEquals("", containers.all("DocumentCollections", "id"));
  }

  @Test
  void containersAreMadeChangedAndDeleted() {
    Reply database = createDatabase("d");
    Reply created = client.post("dbs/d/colls", CONTAINER);
    assertEquals(201, created.status(), created.body());
    assertEquals("dbs/d", created.header("x-ms-alt-content-path"));
    assertEquals(database.text("_rid"), created.header("x-ms-content-path"));
    assertEquals("2097152", created.header("x-ms-cosmos-max-content-length"));
    assertEquals(409, client.post("dbs/d/colls", CONTAINER).status());
    assertEquals("c", client.get("dbs/d/colls").all("DocumentCollections", "id"));

    String byRid = "dbs/" + database.text("_rid") + "/colls/" + created.text("_rid");
    Reply read = client.sendByRid("GET", byRid, "colls", created.text("_rid"), "");
    assertEquals(created.body(), read.body());
    assertEquals("dbs/d", read.header("x-ms-alt-content-path"));

    String changed = created.body().replaceFirst("\\{", "{\"defaultTtl\":60,");
    Reply replaced = client.sendByRid("PUT", byRid, "colls", created.text("_rid"), changed);
    assertEquals(200, replaced.status(), replaced.body());
    assertEquals(Value.of(60L), replaced.at("defaultTtl"));
    assertEquals(
        412, client.put("dbs/d/colls/c", changed, "If-Match", created.header("etag")).status());

    assertEquals(204, client.delete("dbs/d/colls/c").status());
    Reply gone = client.get("dbs/d/colls/c");
    assertEquals(404, gone.status());
    assertTrue(gone.text("message").contains("Resource Not Found"), gone.body());
  }

  @Test
  void rangesAreToldOnceAndThenNotAgain() {
    createDatabase("d");
    Reply container = client.post("dbs/d/colls", CONTAINER, "x-ms-offer-throughput", "50000");
    assertEquals(201, container.status(), container.body());
    Reply ranges = client.get("dbs/d/colls/c/pkranges", "A-IM", "Incremental Feed");
    assertEquals(200, ranges.status());
    assertEquals("0 1 2 3 4", ranges.all("PartitionKeyRanges", "id"));
    assertEquals("online online online online online", ranges.all("PartitionKeyRanges", "status"));
    assertEquals("5", ranges.header("x-ms-item-count"));
    assertEquals("dbs/d/colls/c", ranges.header("x-ms-alt-content-path"));
    assertEquals(container.text("_rid"), ranges.header("x-ms-content-path"));
    Reply again =
        client.get(
            "dbs/d/colls/c/pkranges",
            "A-IM",
            "Incremental Feed",
            "If-None-Match",
            ranges.header("etag"));
    assertEquals(304, again.status());
    assertEquals(ranges.header("etag"), again.header("etag"));
    String byRid = container.text("_self") + "pkranges";
    assertEquals(
        ranges.body(),
        client.sendByRid("GET", byRid, "pkranges", container.text("_rid"), "").body());
  }

  @Test
  void offersAreFoundAndReplaced() {
    createDatabase("d");
    Reply container = client.post("dbs/d/colls", CONTAINER, "x-ms-offer-throughput", "1000");
    String java =
        "{\"query\":\"select * from c where c.offerResourceId = @resourceId\",\"parameters\":"
            + "[{\"name\":\"@resourceId\",\"value\":\""
            + container.text("_rid")
            + "\"}]}";
    String node =
        "{\"query\":\"SELECT * from root where root.resource = \\\""
            + container.text("_self")
            + "\\\"\"}";
    Reply found = client.post("offers", java, "Content-Type", QUERY);
    assertEquals(found.body(), client.post("offers", node, "Content-Type", QUERY).body());
    assertEquals(found.all("Offers", "id"), client.get("offers").all("Offers", "id"));
    String rid = found.all("Offers", "_rid");

    Reply read = client.sendByRid("GET", "offers/" + rid, "offers", rid, "");
    assertEquals(200, read.status());
    assertEquals("400", read.header("x-ms-cosmos-min-throughput"));
    assertEquals("false", read.header("x-ms-offer-replace-pending"));
    assertEquals(Value.of(1000L), read.at("content", "offerThroughput"));
    String more = read.body().replace("\"offerThroughput\":1000", "\"offerThroughput\":2000");
    Reply replaced = client.sendByRid("PUT", "offers/" + rid, "offers", rid, more);
    assertEquals(200, replaced.status(), replaced.body());
    assertEquals(Value.of(2000L), replaced.at("content", "offerThroughput"));
    assertEquals(404, client.get("offers/AAAA").status());
  }

  @Test
  void readOnlyKeysReadAndQueryButDoNotWrite() {
    createDatabase("d");
    try (var reader = new WireClient(server.address(), ServerFixture.READ_ONLY_KEY)) {
      assertEquals(200, reader.get("").status());
      assertEquals(200, reader.get("dbs/d").status());
      assertEquals(
          200, reader.post("dbs", "SELECT * FROM r", "Content-Type", "application/sql").status());
      Reply refused = reader.post("dbs", "{\"id\":\"e\"}");
      assertEquals(403, refused.status());
      assertEquals("Forbidden", refused.text("code"));
      assertEquals(403, reader.delete("dbs/d").status());
    }
  }

  @Test
  void everyAnswerCarriesTheCommonHeaders() {
    for (Reply reply : new Reply[] {client.get(""), createDatabase("d"), client.get("dbs/none")}) {
      assertEquals("version=2.14.0.0", reply.header("x-ms-serviceversion"));
      assertEquals("version=2.14.0", reply.header("x-ms-gatewayversion"));
      assertEquals("1.21", reply.header("x-ms-schemaversion"));
      assertEquals("no-store, no-cache", reply.header("cache-control"));
      assertTrue(HttpDate.seconds(reply.header("x-ms-last-state-change-utc")) > 0);
      assertTrue(HttpDate.seconds(reply.header("date")) > 0);
      assertEquals(36, reply.header("x-ms-activity-id").length());
      assertTrue(Double.parseDouble(reply.header("x-ms-request-charge")) >= 0);
      assertTrue(Double.parseDouble(reply.header("x-ms-request-duration-ms")) >= 0);
    }
  }
}
