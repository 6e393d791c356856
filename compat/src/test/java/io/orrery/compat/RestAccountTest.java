package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The account, and the pages that need no signature. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"http", "https"})
class RestAccountTest {
  private final String scheme;
  private final Rest rest;

  RestAccountTest(String scheme) {
    this.scheme = scheme;
    this.rest = Rest.over(scheme);
  }

  @Test
  void accountTellsWhereItIs() {
    JsonNode account = rest.get("/").send().expect(200).json();
    String endpoint = SharedServer.server().endpoint(scheme).toString();
    for (String locations : new String[] {"writableLocations", "readableLocations"}) {
      assertEquals(1, account.get(locations).size());
      JsonNode location = account.get(locations).get(0);
      assertEquals(endpoint, location.get("databaseAccountEndpoint").asText());
      assertFalse(location.get("name").asText().isEmpty());
    }
    assertEquals(
        "Session", account.get("userConsistencyPolicy").get("defaultConsistencyLevel").asText());
    assertFalse(account.get("enableMultipleWriteLocations").asBoolean());
    assertTrue(account.get("queryEngineConfiguration").isTextual(), "a string that holds JSON");
    assertFalse(account.has("thinClientReadableLocations"));
  }

  @Test
  void endpointFollowsTheHostHeader() throws IOException {
    String date = Signature.date(Instant.now());
    String token = Signature.of("/").token("GET", date, SharedServer.PRIMARY);
    String request =
        """
        GET / HTTP/1.1
        Host: orrery.example:4711
        x-ms-version: 2020-07-15
        x-ms-date: %s
        authorization: %s
        Connection: close

        """
            .formatted(date, token)
            .replace("\n", "\r\n");
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      assertTrue(
          answer.contains("\"databaseAccountEndpoint\":\"" + scheme + "://orrery.example:4711/\""),
          answer);
    }
  }

  private Socket connect() throws IOException {
    OrreryProcess server = SharedServer.server();
    return scheme.equals("https")
        ? Trust.CONTEXT.getSocketFactory().createSocket(server.host(), server.port())
        : new Socket(server.host(), server.port());
  }

  @Test
  void pagesForOperatorsNeedNoSignature() {
    rest.get("/ready").unsigned().send().expect(200);
    String metrics = rest.get("/metrics").unsigned().send().expect(200).text();
    assertTrue(metrics.contains("# TYPE"), metrics);
    String pem = rest.get("/_explorer/emulator.pem").unsigned().send().expect(200).text();
    assertTrue(pem.startsWith("-----BEGIN CERTIFICATE-----"), pem);
  }

  @Test
  void accountNeedsASignature() {
    rest.get("/").unsigned().send().refused(401, 0);
  }

  @Test
  void requestsOnOneConnectionAreAnsweredInOrder() throws IOException {
    var requests = new StringBuilder();
    String date = Signature.date(Instant.now());
    for (String path : new String[] {"/ready", "/dbs/missing", "/ready"}) {
      boolean last = requests.indexOf("/dbs") > 0;
      requests
          .append("GET %s HTTP/1.1\r\nHost: x\r\nx-ms-date: %s\r\n".formatted(path, date))
          .append("authorization: ")
          .append(Signature.of(path).token("GET", date, SharedServer.PRIMARY))
          .append(last ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
    }
    try (Socket socket = connect()) {
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var statuses =
          java.util.regex.Pattern.compile("HTTP/1\\.1 (\\d+)")
              .matcher(answers)
              .results()
              .map(result -> result.group(1))
              .toList();
      assertEquals(java.util.List.of("200", "404", "200"), statuses);
    }
  }
}
