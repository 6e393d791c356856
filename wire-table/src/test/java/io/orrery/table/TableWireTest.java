package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.ChangeStart;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.routing.DatabaseSettings;
import io.orrery.value.Json;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shapes of requests and answers, byte by byte where clients depend on them. */
class TableWireTest {
  private final TableFixture server = new TableFixture();

  @BeforeEach
  void makeTable() {
    assertEquals(201, server.post("/Tables", "{\"TableName\":\"people\"}").statusCode());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static void refused(HttpResponse<String> answer, int status, String code) {
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(
        answer.body().contains("{\"odata.error\":{\"code\":\"" + code + "\""), answer.body());
    assertTrue(answer.body().contains("RequestID:" + header(answer, "x-ms-request-id")));
    assertFalse(header(answer, "x-ms-request-charge").isEmpty());
  }

  @Test
  void errorsHaveTheShapeOfTheService() {
    HttpResponse<String> again = server.post("/Tables", "{\"TableName\":\"people\"}");
    refused(again, 409, "TableAlreadyExists");
    assertEquals(
        "{\"odata.error\":{\"code\":\"TableAlreadyExists\",\"message\":{\"lang\":\"en-us\",\"value\":\"The"
            + " specified table already exists.\\n"
            + "RequestID:"
            + header(again, "x-ms-request-id")
            + "\\n\"}}}\r\n",
        again.body());
    refused(server.get("/people(PartitionKey='p',RowKey='r')"), 404, "ResourceNotFound");
    refused(server.get("/nobody(PartitionKey='p',RowKey='r')"), 404, "TableNotFound");
    refused(server.request("DELETE", "/Tables('nobody')").send(), 404, "ResourceNotFound");
    refused(
        server.request("DELETE", "/people(PartitionKey='p',RowKey='r')").send(),
        400,
        "MissingRequiredHeader");
    refused(server.post("/people", "{\"PartitionKey\":\"p\"}"), 400, "PropertiesNeedValue");
    refused(server.post("/people", "{\"PartitionKey\":"), 400, "InvalidInput");
    refused(server.request("PUT", "/Tables").send(), 405, "MethodNotAllowed");
    refused(server.get("/a/b/c"), 400, "InvalidUri");
    refused(server.get("/?restype=service&comp=properties"), 501, "NotImplemented");
    refused(server.get("/people?comp=acl"), 501, "NotImplemented");
    refused(
        server.request("GET", "/people()").header("Accept", "application/atom+xml").send(),
        415,
        "AtomFormatNotSupported");
  }

  @Test
  void anEntityIsToldWithAsMuchMetadataAsIsAskedFor() {
    HttpResponse<String> made =
        server.post(
            "/people",
            "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"n@odata.type\":\"Edm.Int64\",\"n\":\"5\","
                + "\"d\":5.0}");
    assertEquals(201, made.statusCode());
    String etag = header(made, "etag");
    assertTrue(etag.matches("W/\"datetime'\\d{4}-\\d\\d-\\d\\dT\\d\\d%3A\\d\\d%3A.{10}Z'\""), etag);
    assertTrue(header(made, "location").endsWith("/people(PartitionKey='p',RowKey='r')"));
    String path = "/people(PartitionKey='p',RowKey='r')";
    String none = server.get(path + "?$format=application/json;odata=nometadata").body();
    assertTrue(
        none.startsWith(
            "{\"RowKey\":\"r\",\"PartitionKey\":\"p\",\"n\":\"5\",\"d\":5.0,\"Timestamp\":\""),
        none);
    String minimal = server.get(path).body();
    assertTrue(minimal.contains("\"odata.etag\":\"W/\\\"datetime'"), minimal);
    assertTrue(minimal.contains("\"n@odata.type\":\"Edm.Int64\",\"n\":\"5\""), minimal);
    assertFalse(minimal.contains("odata.id"), minimal);
    String full =
        server
            .request("GET", path)
            .header("Accept", "application/json;odata=fullmetadata")
            .send()
            .body();
    assertTrue(full.contains("\"odata.type\":\"localhost.people\""), full);
    assertTrue(full.contains("\"odata.editLink\":\"people(PartitionKey='p',RowKey='r')\""), full);
    assertTrue(full.contains("\"d@odata.type\":\"Edm.Double\",\"d\":5.0"), full);
  }

  @Test
  void verbsMayBeTunnelledAndNobodyNeedsContent() {
    HttpResponse<String> bare =
        server
            .request("POST", "/people")
            .header("Prefer", "return-no-content")
            .body("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":1}")
            .send();
    assertEquals(204, bare.statusCode());
    assertEquals("return-no-content", header(bare, "preference-applied"));
    HttpResponse<String> merged =
        server
            .request("POST", "/people(PartitionKey='p',RowKey='r')")
            .header("X-HTTP-Method", "MERGE")
            .header("If-Match", header(bare, "etag"))
            .body("{\"b\":2}")
            .send();
    assertEquals(204, merged.statusCode(), merged.body());
    assertEquals(
        "{\"id\":\"r\",\"$pk\":\"p\",\"a\":{\"$t\":\"Edm.Int32\",\"$v\":1},"
            + "\"b\":{\"$t\":\"Edm.Int32\",\"$v\":2}}",
        server.item("people", "p", "r"));
    // Addressed by a path that begins with the account.
    assertEquals(
        200,
        server
            .request("GET", "/localhost/people(PartitionKey='p',RowKey='r')")
            .send()
            .statusCode());
  }

  @Test
  void limitsOfEntitiesAreHeld() {
    String start = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"";
    var many = new StringBuilder(start);
    for (int i = 0; i < 253; i++) {
      many.append(",\"p").append(i).append("\":1");
    }
    refused(server.post("/people", many + "}"), 400, "TooManyProperties");
    String large = "x".repeat(1 << 20);
    refused(server.post("/people", start + ",\"a\":\"" + large + "\"}"), 400, "EntityTooLarge");
    refused(
        server.post("/people", start + ",\"" + "n".repeat(256) + "\":1}"),
        400,
        "PropertyNameTooLong");
    refused(server.post("/people", start + ",\"id\":1}"), 400, "PropertyNameInvalid");
    refused(server.post("/people", start + ",\"a\":[1]}"), 400, "InvalidInput");
    refused(
        server.post("/people", start + ",\"a@odata.type\":\"Edm.Guid\",\"a\":\"no\"}"),
        400,
        "InvalidInput");
    refused(
        server.post("/people", "{\"PartitionKey\":\"" + "k".repeat(1_025) + "\",\"RowKey\":\"\"}"),
        400,
        "KeyValueTooLarge");
    refused(server.post("/people", "x".repeat((4 << 20) + 1)), 413, "RequestBodyTooLarge");
    assertEquals("", server.item("people", "p", "r"));
  }

  private HttpResponse<String> merge(String body) {
    return server.request("PATCH", "/people(PartitionKey='p',RowKey='r')").body(body).send();
  }

  private static String properties(String start, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + start + i + "\":1")
        .collect(Collectors.joining(",", "{", "}"));
  }

  @Test
  void limitsOfEntitiesAreHeldForWhatMergesMake() {
    assertEquals(204, merge(properties("a", 251)).statusCode());
    assertEquals(204, merge(properties("b", 1)).statusCode());
    String whole = server.item("people", "p", "r");
    refused(merge(properties("c", 1)), 400, "TooManyProperties");
    HttpResponse<String> batch =
        server
            .request("POST", "/$batch")
            .contentType("multipart/mixed; boundary=b")
            .body(
                BatchTest.batch(
                    BatchTest.insert("people", "p", "beside"),
                    "MERGE http://h/people(PartitionKey='p',RowKey='r') HTTP/1.1\r\n\r\n{\"d\":1}"))
            .send();
    assertTrue(batch.body().contains("\"TooManyProperties\""), batch.body());
    assertTrue(batch.body().contains("\"value\":\"1:"), batch.body());
    assertEquals("", server.item("people", "p", "beside"));
    assertEquals(whole, server.item("people", "p", "r"));
    assertEquals(204, merge(properties("a", 251)).statusCode());
  }

  @Test
  void sizesOfEntitiesAreHeldForWhatMergesMake() {
    String half = "x".repeat(1 << 19);
    assertEquals(204, merge("{\"a\":\"" + half + "\"}").statusCode());
    refused(merge("{\"b\":\"" + half + "\"}"), 400, "EntityTooLarge");
    assertTrue(!server.item("people", "p", "r").contains("\"b\""));
    // A million bytes are more than that as text, and are still an entity.
    String binary = Base64.getEncoder().encodeToString(new byte[1_000_000]);
    assertEquals(
        204,
        merge("{\"a\":1,\"b@odata.type\":\"Edm.Binary\",\"b\":\"" + binary + "\"}").statusCode());
    assertEquals(204, merge("{\"c\":1}").statusCode());
    refused(merge("{\"d\":\"" + half + "\"}"), 400, "EntityTooLarge");
  }

  @Test
  void whateverAnotherProtocolWroteIsShownAsJson() {
    for (String value : new String[] {"{\"x\":1}", "[1]", "true", "null", "\"x\"", "-7", "1e3"}) {
      for (EdmType type : EdmType.values()) {
        String property = "{\"$t\":\"" + type.text() + "\",\"$v\":" + value + "}";
        server.write("people", "{\"id\":\"r\",\"$pk\":\"p\",\"a\":" + property + "}");
        String told = server.get("/people(PartitionKey='p',RowKey='r')").body();
        assertDoesNotThrow(() -> Json.parse(told), told);
      }
    }
  }

  @Test
  void whatAnotherProtocolWroteIsReadAndFound() {
    server.write(
        "people",
        "{\"id\":\"r\",\"$pk\":\"p\",\"s\":\"text\",\"i\":7,\"d\":1.5,\"b\":true,\"z\":null,"
            + "\"l\":{\"$t\":\"Edm.Int64\",\"$v\":\"8\"},\"o\":{\"x\":1}}");
    String told = server.get("/people(PartitionKey='p',RowKey='r')").body();
    assertTrue(told.contains("\"s\":\"text\",\"i\":7,\"d\":1.5,\"b\":true"), told);
    assertTrue(told.contains("\"l@odata.type\":\"Edm.Int64\",\"l\":\"8\""), told);
    assertTrue(told.contains("\"o\":\"{\\\"x\\\":1}\""), told);
    for (String filter : new String[] {"s%20eq%20'text'", "i%20gt%206", "b", "l%20eq%208L"}) {
      String rows = server.get("/people()?$filter=" + filter).body();
      assertTrue(rows.contains("\"RowKey\":\"r\""), filter + rows);
    }
  }

  @Test
  void filtersSeeNoMemberOfTheItemThatIsNoProperty() {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":1}");
    for (String filter : new String[] {"id eq 'r'", "id ne 'x'", "_ts gt 0", "_etag ne 'x'"}) {
      String rows = server.get("/people()?$filter=" + TableFixture.encoded(filter)).body();
      assertTrue(!rows.contains("RowKey"), filter + rows);
      String others =
          server.get("/people()?$filter=" + TableFixture.encoded("not " + filter)).body();
      assertTrue(others.contains("\"RowKey\":\"r\""), filter + others);
    }
  }

  @Test
  void deepOperandsOfFiltersAreRead() {
    server.request("POST", "/Tables").body("{\"TableName\":\"deep\"}").send();
    String deep = "(".repeat(7_000) + "1" + ")".repeat(7_000);
    assertEquals(200, server.get("/deep()?$filter=a%20eq%20" + deep).statusCode());
    String open = "(".repeat(15_000);
    assertEquals(400, server.get("/deep()?$filter=a%20eq%20" + open).statusCode());
  }

  @Test
  void filtersGoThroughTheIndex() {
    for (int i = 0; i < 60; i++) {
      server.post(
          "/people",
          ("{\"PartitionKey\":\"p" + i % 2 + "\",\"RowKey\":\"" + (100 + i) + "\"")
              + (",\"name\":\"n" + i + "\",\"i\":" + i + ",\"d\":" + i + ".5,\"b\":" + (i == 7))
              + (",\"l@odata.type\":\"Edm.Int64\",\"l\":\"" + i + "\"")
              + (",\"t@odata.type\":\"Edm.DateTime\",\"t\":\"2020-01-01T00:00:" + (10 + i % 50))
              + "Z\"}");
    }
    String[] filters = {
      "name eq 'n7'",
      "name ge 'n58' and name lt 'n6'",
      "i eq 7",
      "i gt 57",
      "d lt 1.0",
      "b eq true",
      "l eq 7L",
      "t gt datetime'2020-01-01T00:00:57Z'",
      "PartitionKey eq 'p1' and name eq 'n7'",
      "PartitionKey eq 'p1' and RowKey ge '157'",
      "not (i lt 58)",
      "name eq 'n7' or name eq 'n8'"
    };
    for (String filter : filters) {
      HttpResponse<String> answer = server.get("/people()?$filter=" + filter.replace(" ", "%20"));
      String metrics = header(answer, "x-ms-documentdb-query-metrics");
      int retrieved =
          Integer.parseInt(metrics.replaceAll("retrievedDocumentCount=(\\d+);.*", "$1"));
      assertTrue(answer.body().contains("\"name\""), filter + answer.body());
      boolean negated = filter.startsWith("not");
      assertTrue(negated || retrieved <= 4, () -> filter + ": " + metrics);
    }
  }

  @Test
  void changesOfEntitiesAreInTheChangeFeed() {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":1}");
    var read =
        new Operation.ReadChanges(
            Command.container("people"),
            new FeedScope.OfRange("0", null),
            new ChangeStart.Beginning(),
            10,
            false);
    var outcome = server.database().execute(read).outcome();
    assertTrue(
        outcome instanceof Outcome.ChangePage page && page.changes().size() == 1,
        () -> outcome.toString());
  }

  @Test
  void spentThroughputIsToldInThisProtocol() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(() -> 1);
    try (var throttled = new TableFixture(settings)) {
      throttled.post("/Tables", "{\"TableName\":\"people\"}");
      HttpResponse<String> answer = throttled.get("/people(PartitionKey='p',RowKey='r')");
      for (int i = 0; i < 1_000 && answer.statusCode() == 404; i++) {
        answer = throttled.get("/people(PartitionKey='p',RowKey='r')");
      }
      refused(answer, 429, "429");
      assertEquals("1", header(answer, "retry-after"));
      assertFalse(header(answer, "x-ms-retry-after-ms").isEmpty());
      assertTrue(answer.body().contains("Request rate is large."), answer.body());
      refused(throttled.get("/people()"), 429, "429");
      HttpResponse<String> batch =
          throttled
              .request("POST", "/$batch")
              .contentType("multipart/mixed; boundary=b")
              .body(BatchTest.batch(BatchTest.insert("people", "p", "r")))
              .send();
      assertEquals(202, batch.statusCode());
      assertTrue(batch.body().contains("HTTP/1.1 429 Too Many Requests"), batch.body());
    }
  }

  /** Entities are parsed before their operation is known; their table pays for it. */
  @Test
  void largeMalformedEntitiesAreChargedUntilTheirTableIsThrottled() {
    var settings = DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(() -> 1);
    String malformed = "{\"RowKey\":\"r\",\"t\":\"" + "x".repeat(1 << 20);
    String batch = BatchTest.batch(BatchTest.insert("people", "p", "r").replace("}", malformed));
    for (String[] asked :
        new String[][] {
          {"POST", "/people", malformed},
          {"PUT", "/people(PartitionKey='p',RowKey='r')", malformed},
          {"POST", "/$batch", batch}
        }) {
      try (var throttled = new TableFixture(settings)) {
        throttled.post("/Tables", "{\"TableName\":\"people\"}");
        Supplier<HttpResponse<String>> request =
            () ->
                throttled
                    .request(asked[0], asked[1])
                    .contentType(asked[1].equals("/$batch") ? BatchTest.TYPE : "application/json")
                    .body(asked[2])
                    .send();
        HttpResponse<String> answer = request.get();
        assertTrue(answer.body().contains("\"InvalidInput\""), answer.body());
        assertEquals(146, Double.parseDouble(header(answer, "x-ms-request-charge")), 1);
        for (int i = 0; i < 10 && !answer.body().contains("Request rate is large."); i++) {
          answer = request.get();
        }
        assertTrue(answer.body().contains("Request rate is large."), answer.body());
        assertFalse(header(answer, "x-ms-retry-after-ms").isEmpty());
      }
    }
  }
}
