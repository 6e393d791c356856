package io.orrery.nosql;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(QuietLog.class)
class MalformedRequestsTest {
  private static final String HOST = "Host: localhost\r\n";
  private static ServerFixture server;

  @BeforeAll
  static void start() {
    server = new ServerFixture();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void serverStillServes() {
    try (var client = server.connect()) {
      client.send("GET / HTTP/1.1\r\n" + HOST + Signature.now().lines("GET", "") + "\r\n");
      assertEquals(200, reply(client).status());
    }
  }

  private static RawClient.Reply reply(RawClient client) {
    return Objects.requireNonNull(client.reply(), "The server closed the connection");
  }

  private static void assertRefused(int status, String request) {
    try (var client = server.connect()) {
      RawClient.Reply reply = reply(client.send(request));
      assertEquals(status, reply.status(), reply.body());
      assertTrue(reply.body().startsWith("{\"code\":\""), reply.body());
      assertTrue(reply.body().contains("\"message\":\""), reply.body());
    }
  }

  @Test
  void brokenHttpIsRefused() {
    for (String request :
        List.of(
            "garbage\r\n\r\n",
            "GET\r\n\r\n",
            "GET / HTTP/9.9.9\r\n\r\n",
            "GET / FTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\n: no name\r\n\r\n",
            "GET / HTTP/1.1\r\nbad\0name: x\r\n\r\n",
            "GET / HTTP/1.1\r\nx-ms-date: a\0b\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET / HTTP/1.1\r\n" + HOST + "Host: other.example\r\n\r\n",
            "GET / HTTP/1.1\r\n" + HOST + "hOST: localhost\r\n\r\n")) {
      assertRefused(400, request);
    }
  }

  @Test
  void onlyChunkedIsATransferEncoding() {
    for (String encoding : List.of("gzip", "gzip, chunked", "chunked, gzip", "identity", "x")) {
      try (var client = server.connect()) {
        String head = "POST /dbs HTTP/1.1\r\n" + HOST + Signature.now().lines("POST", "dbs");
        // What follows would be taken for a request of its own.
        String next = "GET / HTTP/1.1\r\n" + HOST + Signature.now().lines("GET", "") + "\r\n";
        client.send(head + "Transfer-Encoding: " + encoding + "\r\n\r\n" + next);
        assertEquals(400, reply(client).status(), encoding);
        assertNull(client.replyOrNull(), encoding);
      }
    }
  }

  @Test
  void longSessionTokensAreReadInOnePass() {
    createItems("1", "2");
    String item = "dbs/d/colls/c/docs/1";
    String head =
        "GET /"
            + item
            + " HTTP/1.1\r\n"
            + HOST
            + Signature.now().lines("GET", item)
            + "x-ms-documentdb-partitionkey: [\"k\"]\r\nx-ms-session-token: ";
    String blanks = "0:1," + " ".repeat(60_000) + "x";
    String regions = "0:1#2" + "#3=4".repeat(15_000);
    String ids =
        IntStream.range(0, 8_000).mapToObj(i -> "%04x:1".formatted(i)).collect(joining(","));
    try (var client = server.connect()) {
      for (int i = 0; i < 8; i++) {
        client.send(head + blanks + "\r\n\r\n");
        assertEquals(400, reply(client).status());
        client.send(head + regions + "\r\n\r\n");
        assertEquals(200, reply(client).status());
        client.send(head + "0:2," + ids + "\r\n\r\n");
        assertEquals(200, reply(client).status());
      }
      client.send(head + "0:3," + ids + "\r\n\r\n");
      RawClient.Reply ahead = reply(client);
      assertEquals("1002", ahead.header("x-ms-substatus"));
      assertEquals("1", ahead.header("x-ms-request-charge"));
    }
  }

  /** In container c of database d, each in a transaction of its own. */
  private static void createItems(String... ids) {
    try (WireClient client = server.client()) {
      assertEquals(201, client.post("dbs", "{\"id\":\"d\"}").status());
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      assertEquals(201, client.post("dbs/d/colls", container).status());
      for (String id : ids) {
        String body = "{\"id\":\"" + id + "\",\"pk\":\"k\"}";
        String[] key = {"x-ms-documentdb-partitionkey", "[\"k\"]"};
        assertEquals(201, client.post("dbs/d/colls/c/docs", body, key).status());
      }
    }
  }

  @Test
  void tooMuchHeadIsRefused() {
    assertRefused(414, "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n\r\n");
    assertRefused(431, "GET / HTTP/1.1\r\nx: " + "a".repeat(70_000) + "\r\n\r\n");
    assertRefused(431, "GET / HTTP/1.1\r\n" + "x:\r\n".repeat(101) + "\r\n");
  }

  @Test
  void brokenPathsAreRefused() {
    assertRefused(400, "GET /dbs/%zz HTTP/1.1\r\n" + HOST + "\r\n");
    assertRefused(400, "GET /dbs/%ff%fe HTTP/1.1\r\n" + HOST + "\r\n");
    assertRefused(400, "GET /dbs/\u00ff HTTP/1.1\r\n" + HOST + "\r\n");
  }

  @Test
  void unsignedRequestsAreRefused() {
    for (String verb : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "WHATEVER")) {
      assertRefused(401, verb + " /dbs/a/colls/b/docs/c HTTP/1.1\r\n" + HOST + "\r\n");
    }
  }

  @Test
  void headGetsNoBody() {
    try (var client = server.connect()) {
      client.send("HEAD /dbs HTTP/1.1\r\n" + HOST + "\r\n");
      client.send("GET /dbs HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
      String all = client.rest();
      assertEquals(2, all.split("HTTP/1.1 401", -1).length - 1, all);
      assertEquals(1, all.split("\\{\"code\"", -1).length - 1, all);
    }
  }

  @Test
  void unknownRoutesAndMethodsAreTold() {
    String signed = HOST + Signature.now().lines("GET", "dbs/a/colls/b/media/c");
    assertRefused(404, "GET /dbs/a/colls/b/media/c HTTP/1.1\r\n" + signed + "\r\n");
    signed = HOST + Signature.now().lines("PUT", "dbs/a");
    assertRefused(405, "PUT /dbs/a HTTP/1.1\r\n" + signed + "\r\n");
    signed = HOST + Signature.now().lines("OPTIONS", "dbs/a");
    assertRefused(405, "OPTIONS /dbs/a HTTP/1.1\r\n" + signed + "\r\n");
  }

  @Test
  void queriesBatchesAndFeedsNeedWhatTheyAreMadeOf() {
    String items = "POST /dbs/a/colls/b/docs HTTP/1.1\r\n" + HOST;
    String signed = Signature.now().lines("POST", "dbs/a/colls/b/docs");
    for (String header :
        List.of(
            "x-ms-cosmos-is-query-plan-request: True",
            "x-ms-cosmos-is-batch-request: true",
            "x-ms-documentdb-isquery: true",
            "Content-Type: application/query+json")) {
      assertRefused(400, items + signed + header + "\r\nContent-Length: 0\r\n\r\n");
    }
    signed = Signature.now().lines("GET", "dbs/a/colls/b/docs");
    String feed = "GET /dbs/a/colls/b/docs HTTP/1.1\r\n" + HOST + signed;
    assertRefused(400, feed + "A-IM: Sideways\r\n\r\n");
    assertRefused(400, feed + "A-IM: Incremental Feed\r\nIf-None-Match: \"x\"\r\n\r\n");
    assertRefused(400, feed + "A-IM: Incremental Feed\r\nIf-Modified-Since: today\r\n\r\n");
  }

  @Test
  void bodiesBeyondTheLimitAreRefusedAndTheConnectionGoesOn() {
    String head = "POST /dbs HTTP/1.1\r\n" + HOST + Signature.now().lines("POST", "dbs");
    String body = "x".repeat(4 << 20);
    try (var client = server.connect()) {
      client.send(head + "Content-Length: " + body.length() + "\r\n\r\n" + body);
      assertEquals(413, reply(client).status());
      client.send(head + "Transfer-Encoding: chunked\r\n\r\n");
      client.send("400000\r\n" + body + "\r\n0\r\n\r\n");
      RawClient.Reply reply = reply(client);
      assertEquals(413, reply.status());
      assertTrue(reply.body().contains("Request size is too large"), reply.body());
      client.send("GET / HTTP/1.1\r\n" + HOST + Signature.now().lines("GET", "") + "\r\n");
      assertEquals(200, reply(client).status());
    }
  }

  @Test
  void endlessBodiesAreCutOffInOrder() {
    String head = "POST /dbs HTTP/1.1\r\n" + HOST + Signature.now().lines("POST", "dbs");
    try (var client = server.connect()) {
      client.send(head + "Content-Length: 9999999999\r\n\r\n" + "x".repeat(1 << 20));
      RawClient.Reply reply = reply(client);
      assertEquals(413, reply.status());
      assertEquals("close", reply.header("connection"));
      client.send("x".repeat(1 << 20));
      assertTrue(client.isClosedInOrder());
    }
    try (var client = server.connect()) {
      client.send(head + "Transfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 20; i++) {
        client.send("100000\r\n" + "x".repeat(1 << 20) + "\r\n");
      }
      assertEquals(413, reply(client).status());
      assertTrue(client.isClosedInOrder());
    }
  }

  @Test
  void unsignedBodiesAreNotKept() {
    try (var client = server.connect()) {
      client.send("POST /dbs HTTP/1.1\r\n" + HOST + "Content-Length: 1048576\r\n\r\n");
      client.send("x".repeat(1 << 20));
      assertEquals(401, reply(client).status());
    }
  }

  @Test
  void clientsThatAskFirstAreTold() {
    String head = "POST /dbs HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\nExpect: 100-continue\r\n";
    try (var client = server.connect()) {
      client.send(head + Signature.now().lines("POST", "dbs") + "\r\n");
      assertEquals(100, reply(client).status());
      client.send("{}");
      assertTrue(reply(client).status() >= 400);
    }
    try (var client = server.connect()) {
      assertEquals(401, reply(client.send(head + "\r\n")).status());
      assertTrue(client.isClosedInOrder());
    }
    assertRefused(
        417,
        "POST /dbs HTTP/1.1\r\n"
            + HOST
            + "Content-Length: 2\r\nExpect: miracles\r\n"
            + Signature.now().lines("POST", "dbs")
            + "\r\n");
  }

  @Test
  void tlsIsRefusedWhereItIsOff() {
    try (var client = server.connect()) {
      client.send(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0});
      assertNull(client.reply());
    }
  }

  @Test
  void halfRequestsAreForgotten() {
    String whole =
        "POST /dbs HTTP/1.1\r\n"
            + HOST
            + Signature.now().lines("POST", "dbs")
            + "Content-Length: 5\r\n\r\n{\"id\"";
    for (int cut = 1; cut < whole.length(); cut += 7) {
      try (var client = server.connect()) {
        assertNotNull(client.send(whole.substring(0, cut)));
      }
    }
  }

  @Test
  void randomBytesNeverBreakTheServer() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      var bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      try (var client = server.connect()) {
        client.send(bytes).send("\r\n\r\n\r\n");
        RawClient.Reply reply = client.replyOrNull();
        assertTrue(reply == null || reply.status() / 100 == 4);
      }
    }
  }
}
