package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Feeds over REST, page by page. */
@EveryDeployment
class RestFeedsTest {
  private final RestContainer container;
  private final Rest rest;
  private final Deployment deployment;

  RestFeedsTest(Deployment deployment) {
    this.container = RestContainer.create(deployment);
    this.rest = container.rest();
    this.deployment = deployment;
  }

  /** Reads all pages of a feed; every page must keep to the limit. */
  private static List<JsonNode> all(Supplier<Rest.Request> feed, String name, int limit) {
    var rows = new ArrayList<JsonNode>();
    String continuation = "";
    do {
      RestAnswer page =
          feed.get()
              .header("x-ms-max-item-count", Integer.toString(limit))
              // Empty on the first page, as the Java SDK sends it.
              .header("x-ms-continuation", continuation)
              .send()
              .expect(200);
      JsonNode members = page.json().get(name);
      assertTrue(limit < 0 || members.size() <= limit, page::text);
      assertEquals(members.size(), page.json().get("_count").asInt());
      assertEquals(Integer.toString(members.size()), page.header("x-ms-item-count"));
      members.forEach(rows::add);
      continuation = page.header("x-ms-continuation");
      assertTrue(continuation.length() <= 1024, "continuations are short");
    } while (!continuation.isEmpty());
    return rows;
  }

  private static List<String> ids(List<JsonNode> rows) {
    return rows.stream().map(row -> row.get("id").asText()).sorted().toList();
  }

  private List<String> fill() {
    var ids = new TreeSet<String>();
    for (int i = 0; i < 23; i++) {
      String id = "item%02d".formatted(i);
      container.put(id, "\"key " + i % 7 + "\"").expect(201);
      ids.add(id);
    }
    return List.copyOf(ids);
  }

  @Test
  void itemsComeOncePageByPage() {
    List<String> ids = fill();
    for (int limit : List.of(1, 5, 100, -1)) {
      List<JsonNode> rows = all(() -> rest.get(container.docs()), "Documents", limit);
      assertEquals(ids, ids(rows));
    }
    JsonNode first = rest.get(container.docs()).send().json().get("Documents").get(0);
    String key = "\"" + first.get("pk").asText() + "\"";
    assertEquals(container.read(first.get("id").asText(), key).json(), first);
  }

  @Test
  void itemsOfOneKeyComeInTheOrderOfTheirCreation() {
    fill();
    List<JsonNode> rows = all(() -> rest.get(container.docs()).key("[\"key 3\"]"), "Documents", 2);
    assertEquals(
        List.of("item03", "item10", "item17"),
        rows.stream().map(row -> row.get("id").asText()).toList());
  }

  @Test
  void rangesDivideTheItems() {
    List<String> ids = fill();
    var rows = new ArrayList<JsonNode>();
    for (JsonNode range : container.ranges()) {
      String id = range.get("id").asText();
      rows.addAll(
          all(
              () -> rest.get(container.docs()).header("x-ms-documentdb-partitionkeyrangeid", id),
              "Documents",
              3));
    }
    assertEquals(ids, ids(rows));
    assertEquals(
        rows.size(), new HashSet<>(rows.stream().map(row -> row.get("_rid")).toList()).size());
  }

  @Test
  void itemsOfAMissingContainerAreNotFound() {
    rest.get("/dbs/" + container.database() + "/colls/missing/docs").send().refused(404, 1003);
  }

  @Test
  void databasesAndContainersComePageByPage() {
    List<JsonNode> databases = all(() -> rest.get("/dbs"), "Databases", 3);
    assertTrue(ids(databases).contains(container.database()));
    assertEquals(databases.size(), new HashSet<>(databases).size());
    String colls = "/dbs/" + container.database() + "/colls";
    for (String id : List.of("a", "b", "c")) {
      rest.post(colls, "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
          .send()
          .expect(201);
    }
    List<JsonNode> containers = all(() -> rest.get(colls), "DocumentCollections", 2);
    assertEquals(List.of("a", "b", "c", "coll"), ids(containers));
  }

  @Test
  void resourcesAreQueriedInBothForms() {
    String colls = "/dbs/" + container.database() + "/colls";
    Supplier<Rest.Request> text =
        () ->
            rest.post(colls, "SELECT * FROM c WHERE c.id = 'coll'")
                .header("content-type", "application/sql")
                .header("x-ms-documentdb-isquery", "True");
    assertEquals(List.of("coll"), ids(all(text, "DocumentCollections", 10)));
    Supplier<Rest.Request> json =
        () ->
            rest.post(
                    "/dbs",
                    """
                    {"query":"SELECT r.id FROM root r WHERE r.id IN (@a, 'nobody')",
                     "parameters":[{"name":"@a","value":"%s"}]}
                    """
                        .formatted(container.database()))
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true");
    assertEquals(List.of(container.database()), ids(all(json, "Databases", 10)));
    String message =
        rest.post("/dbs", "{\"query\":\"SELEKT * FROM c\"}")
            .header("content-type", "application/query+json")
            .header("x-ms-documentdb-isquery", "true")
            .send()
            .refused(400, 0)
            .json()
            .get("message")
            .asText();
    assertTrue(message.contains("SC1001"), message);
  }

  @Test
  void resourcesAreSortedAndCounted() {
    String colls = "/dbs/" + container.database() + "/colls";
    for (String id : List.of("b", "a")) {
      rest.post(colls, "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
          .send()
          .expect(201);
    }
    Supplier<Rest.Request> sorted = () -> bare(colls, "SELECT * FROM c ORDER BY c.id");
    assertEquals(List.of("a", "b", "coll"), ids(all(sorted, "DocumentCollections", 2)));
    Supplier<Rest.Request> last = () -> bare(colls, "SELECT TOP 1 c.id FROM c ORDER BY c.id DESC");
    assertEquals(List.of("coll"), ids(all(last, "DocumentCollections", 2)));
    for (String feed : List.of("/dbs", "/offers", colls)) {
      String key =
          feed.equals("/dbs") ? "Databases" : feed.equals(colls) ? "DocumentCollections" : "Offers";
      JsonNode count =
          bare(feed, "SELECT VALUE COUNT(1) FROM c").send().expect(200).json().get(key);
      assertEquals(1, count.size());
      assertTrue(count.get(0).asInt() > 0);
    }
  }

  private Rest.Request bare(String feed, String query) {
    return rest.post(feed, query)
        .header("content-type", "application/sql")
        .header("x-ms-documentdb-isquery", "True");
  }

  @Test
  void offersAreListedAndQueried() {
    String self = rest.get(container.path()).send().json().get("_self").asText();
    List<JsonNode> listed = all(() -> rest.get("/offers"), "Offers", 5);
    JsonNode offer =
        listed.stream()
            .filter(row -> row.get("resource").asText().equals(self))
            .findFirst()
            .orElseThrow();
    assertEquals(container.rid(), offer.get("offerResourceId").asText());
    assertEquals("V2", offer.get("offerVersion").asText());
    assertEquals(deployment.throughput(), offer.get("content").get("offerThroughput").asInt());
    assertEquals("offers/" + offer.get("_rid").asText() + "/", offer.get("_self").asText());
    for (String query :
        List.of(
            "{\"query\":\"SELECT * from root where root.resource = \\\"" + self + "\\\"\"}",
            "{\"query\":\"select * from c where c.offerResourceId = @resourceId\","
                + "\"parameters\":[{\"name\":\"@resourceId\",\"value\":\""
                + container.rid()
                + "\"}]}")) {
      Supplier<Rest.Request> request =
          () ->
              rest.post("/offers", query)
                  .header("content-type", "application/query+json")
                  .header("x-ms-documentdb-isquery", "true");
      assertEquals(List.of(offer), all(request, "Offers", 10));
    }
  }

  @Test
  void offerIsReadAndReplacedByRid() {
    Supplier<Rest.Request> query =
        () ->
            rest.post(
                    "/offers",
                    "{\"query\":\"SELECT * FROM c WHERE c.offerResourceId = '%s'\"}"
                        .formatted(container.rid()))
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true");
    JsonNode offer = all(query, "Offers", 1).getFirst();
    String path = "/offers/" + offer.get("_rid").asText();
    RestAnswer read = rest.get(path).byRid().send().expect(200);
    assertEquals(offer, read.json());
    assertEquals("false", read.header("x-ms-offer-replace-pending"));
    assertTrue(Integer.parseInt(read.header("x-ms-cosmos-min-throughput")) >= 400);
    int other = deployment.throughput() + (deployment.ranges() == 1 ? 100 : -100);
    String changed =
        offer
            .toString()
            .replace(
                "\"offerThroughput\":" + deployment.throughput(), "\"offerThroughput\":" + other);
    RestAnswer replaced = rest.put(path, changed).byRid().send().expect(200);
    assertEquals(other, replaced.json().get("content").get("offerThroughput").asInt());
    assertFalse(replaced.header("etag").equals(read.header("etag")));
    rest.put(path, changed).byRid().header("if-match", read.header("etag")).send().refused(412, 0);
    rest.get("/offers/AAAA").byRid().send().refused(404, 0);
  }

  @Test
  void brokenContinuationIsRefused() {
    for (String continuation : List.of("nonsense", "{}", "AAAA", "%00")) {
      rest.get(container.docs()).header("x-ms-continuation", continuation).send().refused(400, 0);
      rest.get("/dbs").header("x-ms-continuation", continuation).send().refused(400, 0);
    }
    rest.get("/dbs").header("x-ms-max-item-count", "many").send().refused(400, 0);
  }
}
