package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Status, headers and bodies of answers, as recordings of the service have them. */
class AnswerShapesTest {
  private static final String ETAG =
      "W/\"datetime'\\d{4}-\\d\\d-\\d\\dT\\d\\d%3A\\d\\d%3A\\d\\d\\.\\d{7}Z'\"";
  private static final String GUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String ENTITY = "/people(PartitionKey='p',RowKey='r')";
  private final TableFixture server = new TableFixture();

  @BeforeEach
  void makeTable() {
    server.post("/Tables", "{\"TableName\":\"people\"}");
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":1}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static void matches(String pattern, String text) {
    assertTrue(text.matches(pattern), text);
  }

  private static String host(HttpResponse<String> answer) {
    return "http://" + answer.request().uri().getAuthority();
  }

  @Test
  void aNewTableIsTold() {
    HttpResponse<String> made = server.post("/Tables", "{\"TableName\":\"made\"}");
    assertEquals(201, made.statusCode());
    assertEquals(
        "{\"TableName\":\"made\",\"odata.metadata\":\""
            + (host(made) + "/$metadata#Tables/@Element\"}"),
        made.body());
    assertEquals(host(made) + "/Tables('made')", header(made, "location"));
    matches(ETAG, header(made, "etag"));
    matches("application/json;odata=minimalmetadata.*", header(made, "content-type"));
    HttpResponse<String> bare =
        server
            .request("POST", "/Tables")
            .header("Prefer", "return-no-content")
            .body("{\"TableName\":\"bare\"}")
            .send();
    assertEquals(204, bare.statusCode());
    assertEquals("", bare.body());
    assertEquals("return-no-content", header(bare, "preference-applied"));
    assertEquals(host(bare) + "/Tables('bare')", header(bare, "location"));
    matches(ETAG, header(bare, "etag"));
    assertEquals("", header(made, "preference-applied"));
    for (String preference : List.of("return-content", "respond-async")) {
      HttpResponse<String> shown =
          server
              .request("POST", "/people")
              .header("Prefer", preference)
              .body("{\"PartitionKey\":\"shown\",\"RowKey\":\"" + preference + "\"}")
              .send();
      assertEquals(201, shown.statusCode());
      String applied = preference.equals("return-content") ? preference : "";
      assertEquals(applied, header(shown, "preference-applied"));
    }
    assertEquals(204, server.request("DELETE", "/Tables('made')").send().statusCode());
  }

  @Test
  void tablesAreListedFromPageToPage() {
    server.post("/Tables", "{\"TableName\":\"second\"}");
    HttpResponse<String> first = server.get("/Tables?$top=1");
    assertEquals(
        "{\"odata.metadata\":\""
            + (host(first) + "/$metadata#Tables\",\"value\":[{\"TableName\":\"people\"}]}"),
        first.body());
    String next = header(first, "x-ms-continuation-NextTableName");
    assertFalse(next.isEmpty());
    HttpResponse<String> last =
        server.get("/Tables?$top=1&NextTableName=" + TableFixture.encoded(next));
    assertTrue(last.body().endsWith("\"value\":[{\"TableName\":\"second\"}]}"), last.body());
  }

  @Test
  void pagesOfEntitiesHaveNoMetadataOfTheirOwn() {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"s\"}");
    for (String filter : new String[] {"", "PartitionKey%20eq%20'p'%20and%20RowKey%20eq%20'r'"}) {
      for (String metadata : new String[] {"nometadata", "minimalmetadata", "fullmetadata"}) {
        HttpResponse<String> page =
            server.get(
                "/people()?$format=application/json;odata="
                    + (metadata + (filter.isEmpty() ? "" : "&$filter=" + filter)));
        assertEquals(200, page.statusCode());
        assertTrue(page.body().startsWith("{\"value\":[{"), page.body());
        assertFalse(page.body().contains("odata.metadata"), page.body());
        matches("application/json;odata=" + metadata + ".*", header(page, "content-type"));
      }
    }
    assertEquals("{\"value\":[]}", server.get("/people()?$filter=a%20eq%205").body());
  }

  @Test
  void continuationsHaveTheFormOfTheService() {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"s\"}");
    HttpResponse<String> first = server.get("/people()?$top=1");
    String next = header(first, "x-ms-continuation-NextPartitionKey");
    matches("\\{\"token\":\"[^\"]+\",\"range\":\\{\"min\":\"\",\"max\":\"FF\"\\}\\}", next);
    assertEquals("NA", header(first, "x-ms-continuation-NextRowKey"));
    HttpResponse<String> last =
        server.get("/people()?$top=1&NextRowKey=NA&NextPartitionKey=" + TableFixture.encoded(next));
    assertTrue(last.body().contains("\"RowKey\":\"s\""), last.body());
    assertEquals("", header(last, "x-ms-continuation-NextPartitionKey"));
    assertEquals(400, server.get("/people()?NextPartitionKey=x&NextRowKey=NA").statusCode());
  }

  @Test
  void anEntityIsToldWithItsEtag() {
    HttpResponse<String> read = server.get(ENTITY);
    matches(ETAG, header(read, "etag"));
    String quoted = header(read, "etag").replace("\"", "\\\"");
    assertTrue(
        read.body()
            .startsWith(
                "{\"odata.metadata\":\""
                    + (host(read) + "/people/$metadata#people/@Element\",\"odata.etag\":\"")
                    + (quoted + "\",")),
        read.body());
    matches(".*\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\".*Z\"}", read.body());
    HttpResponse<String> replaced =
        server.request("PUT", ENTITY).header("If-Match", "*").body("{\"b\":1}").send();
    assertEquals(204, replaced.statusCode());
    matches(ETAG, header(replaced, "etag"));
    HttpResponse<String> gone = server.request("DELETE", ENTITY).header("If-Match", "*").send();
    assertEquals(204, gone.statusCode());
    assertEquals("", gone.body());
  }

  @Test
  void refusalsHaveTheTextsOfTheService() {
    refused(
        server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}"),
        "EntityAlreadyExists",
        "The specified entity already exists.");
    refused(
        server.get("/people(PartitionKey='p',RowKey='none')"),
        "ResourceNotFound",
        "The specified resource does not exist.");
    refused(
        server
            .request("PUT", ENTITY)
            .header("If-Match", "W/\"datetime'2020-08-20T22%3A19%3A55.5985416Z'\"")
            .body("{}")
            .send(),
        "UpdateConditionNotSatisfied",
        "The update condition specified in the request was not satisfied.");
  }

  private static void refused(HttpResponse<String> answer, String code, String text) {
    assertEquals(
        "{\"odata.error\":{\"code\":\""
            + (code + "\",\"message\":{\"lang\":\"en-us\",\"value\":\"" + text)
            + ("\\nRequestID:" + header(answer, "x-ms-request-id") + "\\n\"}}}\r\n"),
        answer.body());
    matches("application/json.*", header(answer, "content-type"));
  }

  @Test
  void partsOfABatchHaveTheHeadersOfTheService() {
    HttpResponse<String> done =
        server
            .request("POST", "/$batch")
            .contentType("multipart/mixed; boundary=b")
            .body(BatchTest.batch(BatchTest.insert("people", "p", "1")))
            .send();
    assertEquals(202, done.statusCode());
    matches("multipart/mixed; boundary=batchresponse_" + GUID, header(done, "content-type"));
    String location = host(done) + "/people(PartitionKey='p',RowKey='1')";
    assertTrue(done.body().contains("HTTP/1.1 204 No Content\r\n"), done.body());
    assertTrue(done.body().contains("Location: " + location + "\r\n"), done.body());
    assertTrue(done.body().contains("DataServiceId: " + location + "\r\n"), done.body());
    assertTrue(done.body().contains("Preference-Applied: return-no-content\r\n"), done.body());
    HttpResponse<String> failed =
        server
            .request("POST", "/$batch")
            .contentType("multipart/mixed; boundary=b")
            .body(BatchTest.batch(BatchTest.insert("people", "p", "1")))
            .send();
    assertEquals(2, failed.body().split("HTTP/1.1 ", -1).length, failed.body());
    assertTrue(
        failed
            .body()
            .contains(
                "\"0:The specified entity already exists.\\n\\nRequestID:"
                    + (header(failed, "x-ms-request-id") + "\\n\"")),
        failed.body());
  }

  @Test
  void digitsOfOtherScriptsAreNoNumberOfRows() {
    assertEquals(400, server.get("/people()?$top=%D9%A1").statusCode());
  }

  @Test
  void everyAnswerNamesTheRequestAndItsVersionAsTheClientDid() {
    HttpResponse<String> read = asked("GET", ENTITY).send();
    HttpResponse<String> refused = asked("GET", "/people()?$top=x").send();
    HttpResponse<String> unknown = asked("GET", ENTITY).unsigned().send();
    HttpResponse<String> nowhere = asked("GET", "/people(").send();
    List<HttpResponse<String>> answers = List.of(read, refused, unknown, nowhere);
    for (HttpResponse<String> answer : answers) {
      assertEquals("mine", header(answer, "x-ms-client-request-id"), answer.body());
      assertEquals("2020-12-06", header(answer, "x-ms-version"), answer.body());
    }
    assertEquals(
        List.of(200, 400, 401, 400), answers.stream().map(HttpResponse::statusCode).toList());
    HttpResponse<String> plain = server.get(ENTITY);
    assertEquals("", header(plain, "x-ms-client-request-id"));
    assertEquals("2019-02-02", header(plain, "x-ms-version"));
    HttpResponse<String> odd = server.request("GET", ENTITY).header("x-ms-version", "new").send();
    assertEquals("2019-02-02", header(odd, "x-ms-version"));
  }

  private TableFixture.Request asked(String method, String path) {
    return server
        .request(method, path)
        .header("x-ms-client-request-id", "mine")
        .header("x-ms-version", "2020-12-06");
  }

  @Test
  void linksNameTheAccountWhereTheClientDid() {
    String account = "/" + TableConfig.ACCOUNT;
    HttpResponse<String> made = server.post(account + "/Tables", "{\"TableName\":\"made\"}");
    String endpoint = host(made) + account;
    assertEquals(endpoint + "/Tables('made')", header(made, "location"));
    assertTrue(made.body().contains(endpoint + "/$metadata#Tables/@Element"), made.body());
    HttpResponse<String> read = server.get(account + ENTITY);
    assertTrue(read.body().contains(endpoint + "/people/$metadata#people"), read.body());
    HttpResponse<String> listed = server.get(account + "/Tables");
    assertTrue(listed.body().contains(endpoint + "/$metadata#Tables"), listed.body());
  }

  @Test
  void atomIsNotServed() {
    HttpResponse<String> wanted =
        server.request("GET", ENTITY).header("Accept", "application/atom+xml").send();
    HttpResponse<String> entity =
        server
            .request("POST", "/people")
            .contentType("application/atom+xml")
            .body("<entry/>")
            .send();
    HttpResponse<String> table =
        server
            .request("POST", "/Tables")
            .contentType("application/atom+xml;type=entry")
            .body("<entry/>")
            .send();
    for (HttpResponse<String> answer : List.of(wanted, entity, table)) {
      assertEquals(415, answer.statusCode());
      assertTrue(answer.body().contains("\"code\":\"AtomFormatNotSupported\""), answer.body());
    }
  }

  @Test
  void textsBelowEveryKeyAreComparedAsSuch() throws Exception {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"\"}");
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\" \"}");
    String below = server.get("/people()?$select=RowKey&$filter=RowKey%20lt%20'%01'").body();
    assertTrue(below.contains("\"RowKey\":\"\""), below);
    assertFalse(below.contains("\"RowKey\":\" \""), below);
  }
}
