package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules whose breach breaks the official clients, in the order of the wire contract. */
@EveryDeployment
class WireRulesTest {
  private final RestContainer container;
  private final Rest rest;

  WireRulesTest(Deployment deployment) {
    container = RestContainer.create(deployment);
    rest = container.rest();
  }

  private Rest.Request query(String text) {
    return rest.post(container.docs(), "{\"query\":\"" + text + "\",\"parameters\":[]}")
        .header("content-type", "application/query+json");
  }

  /** The only row that a range answers an aggregate with. */
  private JsonNode rowOf(String range, String text) {
    JsonNode page =
        query(text)
            .header("x-ms-documentdb-isquery", "True")
            .header("x-ms-documentdb-partitionkeyrangeid", range)
            .send()
            .expect(200)
            .json();
    assertEquals(1, page.get("Documents").size(), page::toString);
    return page.get("Documents").get(0);
  }

  @Test
  void rule1EveryErrorHasAMessage() {
    String docs = container.docs();
    rest.get("/dbs/missing").send().refused(404, 0);
    rest.get("/nowhere").send().refused(404, 0);
    rest.get(container.doc("missing")).key("[\"p\"]").send().refused(404, 0);
    rest.get("/dbs/missing/colls/c/docs/d").key("[\"p\"]").send().refused(404, 1003);
    rest.get("/dbs").unsigned().send().refused(401, 0);
    rest.get("/dbs").signedBy(SharedServer.PRIMARY.replace('a', 'b')).send().refused(401, 0);
    rest.post("/dbs", "{\"id\":\"x\"}")
        .signedBy(SharedServer.PRIMARY_READONLY)
        .send()
        .refused(403, 0);
    rest.post("/dbs", "{not json").send().refused(400, 0);
    rest.post(docs, "").key("[\"p\"]").send().refused(400, 0);
    rest.post(docs, "{\"id\":\"a\",\"pk\":\"p\"}").key("[\"q\"]").send().refused(400, 1001);
    rest.post(docs, "{\"id\":\"a\",\"pk\":\"p\"}").key("{broken").send().refused(400, 0);
    container.put("a", "\"p\"").expect(201);
    container.put("a", "\"p\"").refused(409, 0);
    rest.delete(container.doc("a"))
        .key("[\"p\"]")
        .header("if-match", "\"x\"")
        .send()
        .refused(412, 0);
    rest.request("PATCH", "/dbs/" + container.database()).body("{}").send().refused(405, 0);
    String large = "{\"id\":\"b\",\"pk\":\"p\",\"t\":\"" + "x".repeat(3 << 20) + "\"}";
    rest.post(docs, large).key("[\"p\"]").send().refused(413, 0);
  }

  @Test
  void rule1AnswersWithoutContentHaveNoBody() {
    RestAnswer created = container.put("a", "\"p\"").expect(201);
    RestAnswer unchanged =
        rest.get(container.doc("a"))
            .key("[\"p\"]")
            .header("if-none-match", created.header("etag"))
            .send()
            .expect(304);
    assertEquals("", unchanged.text());
    assertEquals(created.header("etag"), unchanged.header("etag"));
    RestAnswer deleted = rest.delete(container.doc("a")).key("[\"p\"]").send().expect(204);
    assertEquals("", deleted.text());
    for (RestAnswer answer : List.of(unchanged, deleted)) {
      assertTrue(answer.headers().firstValue("transfer-encoding").isEmpty());
      assertTrue(List.of("", "0").contains(answer.header("content-length")));
    }
  }

  @Test
  void rule2ContentPathsNameTheParent() {
    String database = "dbs/" + container.database();
    String databaseRid = rest.get("/" + database).send().json().get("_rid").asText();
    RestAnswer read = rest.get(container.path()).send().expect(200);
    assertEquals(database, read.header("x-ms-alt-content-path"));
    assertEquals(databaseRid, read.header("x-ms-content-path"));
    RestAnswer byRid =
        rest.get("/dbs/" + databaseRid + "/colls/" + container.rid()).byRid().send().expect(200);
    assertEquals(database, byRid.header("x-ms-alt-content-path"));
    assertEquals(databaseRid, byRid.header("x-ms-content-path"));
    String owner = container.path().substring(1);
    for (RestAnswer answer :
        List.of(
            container.put("a", "\"p\"").expect(201),
            container.read("a", "\"p\"").expect(200),
            rest.get(container.docs()).send().expect(200),
            rest.get(container.path() + "/pkranges").send().expect(200),
            rest.delete(container.doc("a")).key("[\"p\"]").send().expect(204))) {
      assertEquals(owner, answer.header("x-ms-alt-content-path"));
      assertEquals(container.rid(), answer.header("x-ms-content-path"));
    }
  }

  @Test
  void rule3RangesAreAFeedThatEndsWithNotModified() {
    String path = container.path() + "/pkranges";
    RestAnswer first = rest.get(path).header("A-IM", "Incremental Feed").send().expect(200);
    String etag = first.header("etag");
    assertFalse(etag.isEmpty());
    RestAnswer second =
        rest.get(path)
            .header("A-IM", "Incremental Feed")
            .header("if-none-match", etag)
            .send()
            .expect(304);
    assertEquals(etag, second.header("etag"));
    assertEquals("", second.text());
    rest.get(path)
        .header("A-IM", "Incremental Feed")
        .header("if-none-match", "")
        .send()
        .expect(200);
  }

  @Test
  void rule4SessionTokenIsOnePairAndSeveralAreAccepted() {
    RestAnswer created = container.put("a", "\"p\"").expect(201);
    String range = created.header("x-ms-documentdb-partitionkeyrangeid");
    String token = created.header("x-ms-session-token");
    assertTrue(token.matches(range + ":-1#\\d+"), token);
    for (RestAnswer answer :
        List.of(
            container.read("a", "\"p\""),
            rest.get(container.docs()).send(),
            rest.get(container.path()).send(),
            rest.get(container.path() + "/pkranges").send())) {
      String other = answer.header("x-ms-session-token");
      assertTrue(other.matches("(\\d+:-1#\\d+)?"), other);
    }
    rest.get(container.doc("a"))
        .key("[\"p\"]")
        .header("x-ms-session-token", token + ",77:-1#5,78:-1#6")
        .send()
        .expect(200);
  }

  @Test
  void rule5PlanRequestIsAnsweredWithEveryMember() {
    JsonNode plan =
        query("SELECT * FROM c")
            .header("x-ms-cosmos-is-query-plan-request", "True")
            .header("x-ms-cosmos-query-version", "1.0")
            .header("x-ms-cosmos-supported-query-features", "Aggregate, OrderBy")
            .send()
            .expect(200)
            .json();
    JsonNode info = plan.get("queryInfo");
    for (String list :
        List.of(
            "orderBy",
            "orderByExpressions",
            "groupByExpressions",
            "groupByAliases",
            "aggregates")) {
      assertTrue(info.get(list).isArray(), list);
    }
    assertTrue(info.get("groupByAliasToAggregateType").isObject());
    assertEquals("None", info.get("distinctType").asText());
    assertEquals("", info.get("rewrittenQuery").asText());
    assertFalse(info.get("hasSelectValue").asBoolean());
    JsonNode range = plan.get("queryRanges").get(0);
    assertEquals(
        "{\"min\":\"\",\"max\":\"FF\",\"isMinInclusive\":true,\"isMaxInclusive\":false}",
        range.toString());
    assertNothingIsStored();
  }

  @Test
  void rule6NobodyIsToldThatARangeIsGone() {
    container.put("a", "\"p\"").expect(201);
    RestAnswer answer =
        rest.get(container.docs()).header("x-ms-documentdb-partitionkeyrangeid", "99").send();
    assertNotEquals(410, answer.status());
    assertTrue(answer.status() < 500, answer::text);
    RestAnswer rows =
        query("SELECT * FROM c")
            .header("x-ms-documentdb-isquery", "True")
            .header("x-ms-documentdb-partitionkeyrangeid", "99")
            .send();
    assertNotEquals(410, rows.status());
    assertTrue(rows.status() < 500, rows::text);
  }

  @Test
  void rule7PointOperationsAreServedWhateverRangeTheyName() {
    container.put("a", "\"p\"").expect(201);
    rest.get(container.doc("a"))
        .key("[\"p\"]")
        .header("x-ms-documentdb-partitionkeyrangeid", "99")
        .send()
        .expect(200);
  }

  @Test
  void rule8RowsOfTheChangeFeedAreEnvelopesWhereTheFormatIsNamed() {
    container.put("a", "\"p\"").expect(201);
    RestAnswer bare =
        rest.get(container.docs()).key("[\"p\"]").header("A-IM", "Incremental Feed").send();
    assertEquals("a", bare.expect(200).json().get("Documents").get(0).get("id").asText());
    JsonNode row =
        rest.get(container.docs())
            .key("[\"p\"]")
            .header("A-IM", "Incremental Feed")
            .header("x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
            .send()
            .expect(200)
            .json()
            .get("Documents")
            .get(0);
    assertEquals("a", row.get("current").get("id").asText());
    assertTrue(row.get("metadata").get("lsn").asLong() > 0);
  }

  @Test
  void rule9EveryRangeAnswersAnAggregateWithOneRow() {
    for (JsonNode range : container.ranges()) {
      String id = range.get("id").asText();
      String count = "SELECT VALUE [{\\\"item\\\": COUNT(1)}] FROM c";
      assertEquals("[{\"item\":0}]", rowOf(id, count).toString());
      String sum = "SELECT VALUE [{\\\"item\\\": SUM(c.n)}] FROM c";
      assertEquals("[{\"item\":0}]", rowOf(id, sum).toString());
      String least =
          "SELECT VALUE [{\\\"item\\\": MIN(c.n), \\\"item2\\\": {\\\"min\\\": MIN(c.n),"
              + " \\\"count\\\": COUNT(c.n)}}] FROM c";
      assertEquals("[{\"item2\":{\"count\":0}}]", rowOf(id, least).toString());
      String average =
          "SELECT VALUE [{\\\"item\\\": {\\\"sum\\\": SUM(c.x), \\\"count\\\": COUNT(c.x)}}] FROM"
              + " c";
      assertEquals("[{\"item\":{\"sum\":0,\"count\":0}}]", rowOf(id, average).toString());
    }
  }

  @Test
  void rule10QueryMetricsHoldWhatClientsUnbox() {
    container.put("a", "\"p\"").expect(201);
    RestAnswer answer =
        query("SELECT * FROM c")
            .header("x-ms-documentdb-isquery", "True")
            .header("x-ms-documentdb-query-enablecrosspartition", "true")
            .header("x-ms-documentdb-populatequerymetrics", "true")
            .send()
            .expect(200);
    String metrics = answer.header("x-ms-documentdb-query-metrics");
    for (String name :
        List.of(
            "totalExecutionTimeInMs",
            "queryCompileTimeInMs",
            "queryLogicalPlanBuildTimeInMs",
            "queryPhysicalPlanBuildTimeInMs",
            "queryOptimizationTimeInMs",
            "VMExecutionTimeInMs",
            "indexLookupTimeInMs",
            "documentLoadTimeInMs",
            "systemFunctionExecuteTimeInMs",
            "userFunctionExecuteTimeInMs",
            "retrievedDocumentSize",
            "outputDocumentSize",
            "writeOutputTimeInMs",
            "indexUtilizationRatio")) {
      assertTrue((";" + metrics).matches(".*;" + name + "=\\d+(\\.\\d+)?(;.*)?"), name + metrics);
    }
    assertTrue(metrics.contains(";retrievedDocumentCount=1;"), metrics);
    assertTrue(metrics.contains(";outputDocumentCount=1;"), metrics);
    assertEquals("1", answer.header("x-ms-item-count"));
    assertEquals(
        "{\"reverseRidEnabled\":false,\"reverseIndexScan\":false}",
        answer.header("x-ms-cosmos-query-execution-info"));
    assertTrue(answer.charge() > 0);
  }

  @Test
  void batchIsNotTakenForAnItem() {
    String create = "{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"a\",\"pk\":\"p\"}}";
    batch("[" + create + ",{\"operationType\":\"Fly\"}]").refused(400, 0);
    batch("[]").refused(400, 0);
    batch("{}").refused(400, 0);
    assertNothingIsStored();
    JsonNode failed = batch("[" + create + "," + create + "]").expect(207).json();
    assertEquals(424, failed.get(0).get("statusCode").asInt());
    assertEquals(409, failed.get(1).get("statusCode").asInt());
    assertNothingIsStored();
    JsonNode done = batch("[" + create + "]").expect(200).json();
    assertEquals("a", done.get(0).get("resourceBody").get("id").asText());
  }

  private RestAnswer batch(String steps) {
    return rest.post(container.docs(), steps)
        .key("[\"p\"]")
        .header("x-ms-cosmos-is-batch-request", "True")
        .header("x-ms-cosmos-batch-atomic", "True")
        .send();
  }

  private void assertNothingIsStored() {
    assertEquals(0, rest.get(container.docs()).send().expect(200).json().get("_count").asInt());
  }
}
