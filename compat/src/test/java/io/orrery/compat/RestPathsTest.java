package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Resources by rid, and what their rids look like. */
@EveryDeployment
class RestPathsTest {
  private final RestContainer container;
  private final Rest rest;

  RestPathsTest(Deployment deployment) {
    container = RestContainer.create(deployment);
    rest = container.rest();
  }

  private static byte[] bytes(JsonNode resource) {
    return Base64.getDecoder().decode(resource.get("_rid").asText().replace('-', '/'));
  }

  private String databaseRid() {
    return rest.get("/dbs/" + container.database()).send().json().get("_rid").asText();
  }

  private String path() {
    return "/dbs/" + databaseRid() + "/colls/" + container.rid();
  }

  @Test
  void ridsNestAsDocumented() {
    byte[] database = bytes(rest.get("/dbs/" + container.database()).send().json());
    byte[] coll = bytes(rest.get(container.path()).send().json());
    byte[] item = bytes(container.put("a", "\"p\"").json());
    assertEquals(4, database.length);
    assertEquals(8, coll.length);
    assertEquals(16, item.length);
    assertArrayStart(database, coll);
    assertArrayStart(coll, item);
    assertTrue((coll[4] & 0x80) != 0, "the bit that tells containers from users");
    assertEquals(0, item[15] & 0xF0, "the kind of a document");
    for (JsonNode range : container.ranges()) {
      byte[] rid = bytes(range);
      assertArrayStart(coll, rid);
      assertEquals(0x50, rid[15] & 0xF0, "the kind of a partition key range");
    }
  }

  private static void assertArrayStart(byte[] start, byte[] whole) {
    assertTrue(java.util.Arrays.mismatch(start, whole) == start.length);
  }

  @Test
  void selfLinksAreMadeOfRids() {
    String database = "dbs/" + databaseRid() + "/";
    assertEquals(
        database, rest.get("/dbs/" + container.database()).send().json().get("_self").asText());
    String self = rest.get(container.path()).send().json().get("_self").asText();
    assertEquals(database + "colls/" + container.rid() + "/", self);
    JsonNode item = container.put("a", "\"p\"").json();
    assertEquals(self + "docs/" + item.get("_rid").asText() + "/", item.get("_self").asText());
  }

  @Test
  void etagsCarryTheTime() {
    JsonNode item = container.put("a", "\"p\"").json();
    String etag = item.get("_etag").asText();
    assertTrue(
        etag.matches("\"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\""), etag);
    assertTrue(item.get("_ts").isIntegralNumber());
  }

  @Test
  void containersAreServedByRid() {
    JsonNode byName = rest.get(container.path()).send().expect(200).json();
    JsonNode byRid = rest.get(path()).byRid().send().expect(200).json();
    assertEquals(byName, byRid);
    String changed = byName.toString().replace("\"_rid\"", "\"defaultTtl\":60,\"_rid\"");
    rest.put(path(), changed).byRid().send().expect(200);
    assertEquals(60, rest.get(container.path()).send().json().get("defaultTtl").asInt());
    rest.get("/dbs/" + databaseRid()).byRid().send().expect(200);
    rest.get("/dbs/" + databaseRid() + "/colls").byRid().send().expect(200);
    rest.get(path() + "/pkranges").byRid().send().expect(200);
    rest.delete(path()).byRid().send().expect(204);
    rest.get(container.path()).send().refused(404, 0);
  }

  @Test
  void itemsAreServedByRid() {
    String docs = path() + "/docs";
    RestAnswer created =
        rest.post(docs, "{\"id\":\"a\",\"pk\":\"p\"}").key("[\"p\"]").byRid().send().expect(201);
    String item = docs + "/" + created.json().get("_rid").asText();
    assertEquals(created.json(), rest.get(item).key("[\"p\"]").byRid().send().expect(200).json());
    rest.put(item, "{\"id\":\"a\",\"pk\":\"p\",\"n\":1}").key("[\"p\"]").byRid().send().expect(200);
    assertEquals(1, container.read("a", "\"p\"").json().get("n").asInt());
    assertEquals(1, rest.get(docs).byRid().send().expect(200).json().get("_count").asInt());
    rest.delete(item).key("[\"p\"]").byRid().send().expect(204);
    container.read("a", "\"p\"").refused(404, 0);
    rest.get(item).key("[\"p\"]").byRid().send().refused(404, 0);
  }

  @Test
  void unknownRidsAreNotFound() {
    String other = container.rid().startsWith("A") ? "B" : "A";
    rest.get("/dbs/" + other + databaseRid().substring(1)).byRid().send().refused(404, 0);
  }

  @Test
  void databaseNamedLikeARidIsRefused() {
    // Decodes to four bytes, as the rid of a database does: it could hide another database.
    String name = "%06d==".formatted(System.nanoTime() % 1_000_000);
    rest.post("/dbs", "{\"id\":\"" + name + "\"}").send().refused(400, 0);
  }

  @Test
  void requestForAContainerThatIsGoneIsToldSo() {
    rest.get(container.doc("a"))
        .key("[\"p\"]")
        .header("x-ms-cosmos-intended-collection-rid", container.rid())
        .send()
        .refused(404, 0);
    rest.delete(container.path()).send().expect(204);
    String anew = "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}";
    rest.post("/dbs/" + container.database() + "/colls", anew).send().expect(201);
    rest.get(container.doc("a"))
        .key("[\"p\"]")
        .header("x-ms-cosmos-intended-collection-rid", container.rid())
        .send()
        .refused(400, 1024);
  }
}
