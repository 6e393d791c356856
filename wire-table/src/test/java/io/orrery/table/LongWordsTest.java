package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.HttpDate;
import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Words that no client sends, of letters that become several in another case: the JDK copies the
 * text again for each of them, so that a header of 60 KB takes half a second of the event loop.
 */
@Timeout(60)
class LongWordsTest {
  private static final String SHARP_S = "\u00DF";
  private static final int REQUESTS = 200;
  private static final int PATIENCE_MILLIS = 50_000;

  private final TableFixture server = new TableFixture();

  @BeforeEach
  void makeTable() {
    server.post("/Tables", "{\"TableName\":\"people\"}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String post(String path, String headers, String body) {
    String date = HttpDate.text(Instant.now().getEpochSecond());
    String signature =
        TableFixture.sign(AccountKeys.WELL_KNOWN, date + "\n/" + TableConfig.ACCOUNT + path);
    return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nx-ms-date: " + date + "\r\n")
        + ("Authorization: SharedKeyLite " + TableConfig.ACCOUNT + ":" + signature + "\r\n")
        + (headers + "Content-Length: " + body.length() + "\r\n\r\n" + body);
  }

  /** All answers to requests of which the last one closes the connection. */
  private String answers(String requests) throws IOException {
    try (var socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      Thread.ofVirtual().start(() -> send(socket, requests));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static void send(Socket socket, String requests) {
    try {
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aVeryLongVerbOfAHeaderIsRefused() throws IOException {
    String verb = "X-HTTP-Method: " + SHARP_S.repeat(60_000) + "\r\n";
    String requests =
        post("/people", verb, "{}").repeat(REQUESTS)
            + post("/people", verb + "Connection: close\r\n", "{}");
    assertEquals(REQUESTS + 1, answers(requests).split("HTTP/1.1 405", -1).length - 1);
  }

  @Test
  void aVeryLongVerbOfABatchIsRefused() throws IOException {
    String merge =
        "POST http://127.0.0.1/people(PartitionKey='p',RowKey='r') HTTP/1.1\r\nX-HTTP-Method: "
            + SHARP_S.repeat(1 << 20)
            + "\r\nContent-Type: application/json\r\n\r\n{}";
    String headers = "Content-Type: " + BatchTest.TYPE + "\r\nConnection: close\r\n";
    String answer = answers(post("/$batch", headers, BatchTest.batch(merge)));
    assertTrue(answer.contains("HTTP/1.1 4"), answer);
    assertTrue(answer.length() < 10_000, "the answer does not repeat the word");
  }

  @Test
  void verbsAreTakenInAnyCase() throws IOException {
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
    String headers = "X-HTTP-Method: Merge\r\nIf-Match: *\r\nConnection: close\r\n";
    String answer = answers(post("/people(PartitionKey='p',RowKey='r')", headers, "{}"));
    assertTrue(answer.startsWith("HTTP/1.1 204"), answer);
  }

  /** A table that no request can name, a format and words of filters that no parser knows. */
  @Test
  void veryLongWordsInAddressesAreAnswered() throws IOException {
    String dotted = "%C4%B0".repeat(2_500);
    for (String path :
        new String[] {
          "/" + dotted + "()", "/people()?$format=" + dotted, "/people()?$filter=" + dotted
        }) {
      int status = server.get(path).statusCode();
      assertTrue(status == 200 || status / 100 == 4, path + " got " + status);
    }
  }
}
