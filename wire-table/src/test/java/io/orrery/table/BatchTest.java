package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entity group transactions, whole and broken. */
class BatchTest {
  static final String TYPE = "multipart/mixed; boundary=b";
  private final TableFixture server = new TableFixture();

  @BeforeEach
  void makeTable() {
    server.post("/Tables", "{\"TableName\":\"people\"}");
    server.post("/Tables", "{\"TableName\":\"other\"}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  static String insert(String table, String partitionKey, String rowKey) {
    return "POST http://127.0.0.1/"
        + table
        + " HTTP/1.1\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n\r\n\r\n"
        + ("{\"PartitionKey\":\"" + partitionKey + "\",\"RowKey\":\"" + rowKey + "\",\"n\":1}");
  }

  static String batch(String... requests) {
    var text = new StringBuilder();
    text.append("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
    for (String request : requests) {
      text.append("--c\r\nContent-Type: application/http\r\n");
      text.append("Content-Transfer-Encoding: binary\r\n\r\n").append(request).append("\r\n");
    }
    return text.append("--c--\r\n--b--\r\n").toString();
  }

  private HttpResponse<String> send(String body) {
    return server.request("POST", "/$batch").contentType(TYPE).body(body).send();
  }

  private void refused(String body, int status, String code, int index) {
    HttpResponse<String> answer = send(body);
    assertEquals(202, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("HTTP/1.1 " + status + " "), answer.body());
    assertTrue(answer.body().contains("\"code\":\"" + code + "\""), answer.body());
    assertTrue(answer.body().contains("\"value\":\"" + index + ":"), answer.body());
  }

  @Test
  void partsHaveShortRequestLines() {
    String path = "/people(PartitionKey='p',RowKey='r')?";
    for (int parameters : new int[] {4_000, 5_000}) {
      String line = "PUT http://127.0.0.1" + path + "abc&".repeat(parameters) + " HTTP/1.1";
      HttpResponse<String> answer = send(batch(line + "\r\n\r\n{}"));
      assertEquals(parameters < 4_096 ? 202 : 400, answer.statusCode(), answer.body());
    }
  }

  @Test
  void partsHaveFewHeaders() {
    for (int headers : new int[] {90, 101}) {
      String many = "x: y\r\n".repeat(headers);
      String inRequest = insert("people", "p", "r" + headers).replace("Prefer:", many + "Prefer:");
      String inPart = batch(insert("people", "p", "s" + headers));
      inPart = inPart.replace("Content-Transfer", many + "Content-Transfer");
      for (String body : new String[] {batch(inRequest), inPart}) {
        HttpResponse<String> answer = send(body);
        assertEquals(headers == 90 ? 202 : 400, answer.statusCode(), answer.body());
      }
    }
  }

  /** A million parts or headers would take hundreds of megabytes while they are read. */
  @Test
  void aBatchOfTinyPartsIsRefusedAtTheFirstThatIsOneTooMany() {
    String part = "--c\nx:y\n\nPOST /people HTTP/1.1\n\n\n";
    String body = "--b\nContent-Type: multipart/mixed; boundary=c\n\n" + part.repeat(101);
    // What follows is not looked at: it would be malformed.
    refused(body + "--c\nno request\n--c--\n--b--\n", 400, "InvalidInput", 0);
  }

  @Test
  void formsOfWebPagesAreNoBatches() {
    String body = batch(insert("people", "p", "1"));
    for (String type :
        new String[] {
          "multipart/form-data; boundary=b",
          "text/plain; boundary=b",
          "multipart/mixedup; boundary=b"
        }) {
      HttpResponse<String> answer =
          server.request("POST", "/$batch").contentType(type).body(body).send();
      assertEquals(400, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("multipart/mixed"), answer.body());
    }
    assertEquals("", server.item("people", "p", "1"));
  }

  @Test
  void changesAreAnsweredOneByOne() {
    HttpResponse<String> answer =
        send(batch(insert("people", "p", "1"), insert("people", "p", "2")));
    assertEquals(202, answer.statusCode());
    assertEquals(3, answer.body().split("HTTP/1.1 204 No Content", -1).length);
    assertEquals(3, answer.body().split("ETag: W/", -1).length);
    assertTrue(!server.item("people", "p", "2").isEmpty());
  }

  @Test
  void lineEndsAndShownEntitiesAreTakenAsTheyCome() {
    String shown = insert("people", "p", "1").replace("Prefer: return-no-content\r\n", "");
    HttpResponse<String> answer = send(batch(shown).replace("\r\n", "\n"));
    assertTrue(answer.body().contains("HTTP/1.1 201 Created"), answer.body());
    assertTrue(answer.body().contains("\"RowKey\":\"1\""), answer.body());
    HttpResponse<String> read =
        send(
            String.join(
                "\r\n",
                "--b",
                "Content-Type: application/http",
                "",
                "GET http://h/people(PartitionKey='p',RowKey='1') HTTP/1.1",
                "",
                "",
                "--b--",
                ""));
    assertTrue(read.body().contains("HTTP/1.1 200 OK"), read.body());
  }

  @Test
  void oneFailureUndoesAllAndIsNamed() {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"there\"}");
    refused(
        batch(insert("people", "p", "1"), insert("people", "p", "there")),
        409,
        "EntityAlreadyExists",
        1);
    refused(
        batch(insert("people", "p", "1"), insert("people", "p", "1")),
        400,
        "InvalidDuplicateRow",
        1);
    refused(
        batch(insert("people", "p", "1"), insert("people", "q", "1")),
        400,
        "CommandsInBatchActOnDifferentPartitions",
        1);
    refused(batch(insert("people", "p", "1"), insert("other", "p", "2")), 400, "InvalidInput", 1);
    refused(batch(insert("nobody", "p", "1")), 404, "TableNotFound", 0);
    String[] many = new String[101];
    for (int i = 0; i < many.length; i++) {
      many[i] = insert("people", "p", "m" + i);
    }
    refused(batch(many), 400, "InvalidInput", 0);
    assertEquals("", server.item("people", "p", "1"));
    assertEquals("", server.item("people", "p", "m0"));
  }

  /** Small changes of large entities: neither the body nor an entity is too large. */
  @Test
  void aTransactionThatWritesTooMuchIsNamed() {
    String text = "\"n\":\"" + "x".repeat(450_000) + "\"";
    String[] merges = new String[40];
    for (int i = 0; i < merges.length; i++) {
      HttpResponse<String> inserted =
          send(batch(insert("people", "p", "l" + i).replace("\"n\":1", text)));
      assertEquals(202, inserted.statusCode(), inserted.body());
      merges[i] =
          "MERGE http://127.0.0.1/people(PartitionKey='p',RowKey='l"
              + i
              + "') HTTP/1.1\r\nContent-Type: application/json\r\nIf-Match: *\r\n\r\n\r\n{\"m\":2}";
    }
    String body = send(batch(merges)).body();
    assertTrue(body.contains("413") && body.contains("The transaction is too large"), body);
    assertTrue(body.contains("16 MB") && body.contains("fewer entities"), body);
  }

  @Test
  void aBatchThatIsTooLargeIsRefusedAndNothingIsDone() {
    String large =
        insert("people", "p", "1").replace("\"n\":1", "\"n\":\"" + "x".repeat(900_000) + "\"");
    String[] changes = new String[5];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = large.replace("\"RowKey\":\"1\"", "\"RowKey\":\"" + i + "\"");
    }
    HttpResponse<String> answer = send(batch(changes));
    assertEquals(413, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"RequestBodyTooLarge\""), answer.body());
    assertEquals("", server.item("people", "p", "0"));
  }

  @Test
  void brokenBodiesAreRefusedAndNothingIsDone() {
    String whole = batch(insert("people", "p", "1"), insert("people", "p", "2"));
    var random = new Random(7);
    for (int i = 0; i < 200; i++) {
      int cut = random.nextInt(whole.length() - 5);
      HttpResponse<String> answer = send(whole.substring(0, cut));
      assertEquals(400, answer.statusCode(), () -> "cut at " + cut);
      assertTrue(answer.body().contains("InvalidInput"), answer.body());
    }
    assertEquals(
        400,
        server
            .request("POST", "/$batch")
            .contentType("text/plain")
            .body(whole)
            .send()
            .statusCode());
    assertEquals(400, send(batch("NONSENSE")).statusCode());
    assertEquals("", server.item("people", "p", "1"));
  }

  @Test
  void answersCarryTheNamesThatTheClientGaveItsRequests() {
    String inside =
        insert("people", "p", "1")
            .replace("return-no-content", "return-content\r\nContent-ID: first");
    String before =
        batch(inside, insert("people", "p", "2"))
            .replace("binary\r\n\r\nPOST", "binary\r\nContent-ID: 7\r\n\r\nPOST")
            .replaceFirst("Content-ID: 7\r\n", "");
    HttpResponse<String> answer = send(before);
    assertEquals(202, answer.statusCode(), answer.body());
    String[] parts = answer.body().split("HTTP/1.1 ", -1);
    assertTrue(parts[1].contains("Content-ID: first\r\n"), answer.body());
    assertTrue(parts[2].contains("Content-ID: 7\r\n"), answer.body());
    // The entity that the first one asked back has the address by which the client came.
    String host = "http://" + answer.request().uri().getAuthority();
    assertTrue(parts[1].startsWith("201 "), answer.body());
    assertTrue(parts[1].contains("Preference-Applied: return-content\r\n"), answer.body());
    assertTrue(parts[1].contains(host + "/people/$metadata#people/@Element"), answer.body());
    HttpResponse<String> odd =
        send(batch(insert("people", "p", "3").replace("Prefer:", "Content-ID: a b\r\nPrefer:")));
    assertTrue(odd.body().contains("HTTP/1.1 204 "), odd.body());
    assertTrue(!odd.body().contains("Content-ID"), odd.body());
  }
}
