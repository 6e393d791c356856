package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.AccountAccess;
import io.orrery.http.AuditTrail;
import io.orrery.http.OwnHosts;
import io.orrery.http.Patience;
import io.orrery.http.RequestObserver;
import io.orrery.operation.Bytes;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(QuietLog.class)
class ConnectionsTest {
  private static final Patience SHORT =
      new Patience(
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          Duration.ofMillis(500),
          Duration.ofMillis(600),
          Duration.ofMillis(200));

  private static String get(String path, String... headers) {
    return "GET /"
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + Signature.now().lines("GET", path)
        + String.join("", headers)
        + "\r\n";
  }

  private static RawClient.Reply reply(RawClient client) {
    return Objects.requireNonNull(client.reply(), "The server closed the connection");
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "It did not happen in time");
      Thread.onSpinWait();
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() {
    try (var server = new ServerFixture();
        var client = server.connect()) {
      assertPipelined(client, 500);
    }
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 1_000);
    try (var server = new ServerFixture(ServerFixture.config(), late, Patience.USUAL);
        var client = server.connect()) {
      assertPipelined(client, 500);
    }
  }

  private static void assertPipelined(RawClient client, int count) {
    var all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String header = "x-ms-activity-id: " + new UUID(7, i) + "\r\n";
      all.append(get(i % 2 == 0 ? "dbs/d" : "", header));
    }
    Thread.ofVirtual().start(() -> client.send(all.toString()));
    for (int i = 0; i < count; i++) {
      RawClient.Reply reply = reply(client);
      assertEquals(new UUID(7, i).toString(), reply.header("x-ms-activity-id"));
      assertEquals(i % 2 == 0 ? 404 : 200, reply.status());
    }
  }

  @Test
  void aClientThatDoesNotReadIsHeldBackAndThenServed() throws InterruptedException {
    var observed = new ConcurrentLinkedQueue<String>();
    NosqlConfig config = observing((route, status, nanos) -> observed.add(route));
    try (var server = new ServerFixture(config, ServerFixture.emptyDatabase(), Patience.USUAL);
        var client = server.connect()) {
      int count = 5_000;
      String one = get("");
      Thread sender = Thread.ofVirtual().start(() -> client.send(one.repeat(count)));
      // Far fewer are answered than were sent: the rest waits in the client.
      await(() -> observed.size() > 100);
      assertTrue(observed.size() < count);
      for (int i = 0; i < count; i++) {
        assertEquals(200, reply(client).status());
      }
      sender.join();
    }
  }

  @Test
  void closingIsTheClientsChoice() {
    try (var server = new ServerFixture()) {
      try (var client = server.connect()) {
        RawClient.Reply reply = reply(client.send(get("", "Connection: close\r\n")));
        assertEquals("close", reply.header("connection"));
        assertTrue(client.isClosedInOrder());
      }
      try (var client = server.connect()) {
        String old = get("").replace("HTTP/1.1", "HTTP/1.0");
        assertEquals(200, reply(client.send(old)).status());
        assertTrue(client.isClosedInOrder());
      }
      try (var client = server.connect()) {
        String old = get("", "Connection: keep-alive\r\n").replace("HTTP/1.1", "HTTP/1.0");
        assertEquals("keep-alive", reply(client.send(old)).header("connection"));
        assertEquals(200, reply(client.send(old)).status());
      }
    }
  }

  @Test
  void silentAndSlowClientsAreLeft() {
    try (var server =
        new ServerFixture(ServerFixture.config(), ServerFixture.emptyDatabase(), SHORT)) {
      try (var client = server.connect()) {
        assertNull(client.reply());
      }
      try (var client = server.connect()) {
        assertNull(client.send("GET / HT").reply());
      }
    }
    // A client that does begin has time for it, also on a busy machine.
    Patience opening =
        new Patience(
            Patience.USUAL.opening(),
            SHORT.request(),
            SHORT.reading(),
            SHORT.idle(),
            SHORT.lingering());
    try (var server =
        new ServerFixture(ServerFixture.config(), ServerFixture.emptyDatabase(), opening)) {
      try (var client = server.connect()) {
        assertEquals(200, reply(client.send(get(""))).status());
        assertNull(client.send("GET / HT").reply());
      }
      try (var client = server.connect()) {
        String post = get("dbs", "Content-Length: 5\r\n").replace("GET", "POST");
        RawClient.Reply reply = reply(client.send(post + "{"));
        assertEquals(408, reply.status());
        assertTrue(client.isClosedInOrder());
      }
      try (var client = server.connect()) {
        assertEquals(200, reply(client.send(get(""))).status());
        assertTrue(client.isClosedInOrder());
      }
    }
  }

  @Test
  void idleClientsAreNotMistakenForSlowOnes() throws InterruptedException {
    var patience =
        new Patience(
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMillis(200));
    try (var server =
            new ServerFixture(ServerFixture.config(), ServerFixture.emptyDatabase(), patience);
        var client = server.connect()) {
      for (int i = 0; i < 3; i++) {
        assertEquals(200, reply(client.send(get(""))).status());
        // Nothing can be awaited here: the point is that nothing happens for a while.
        long until = System.nanoTime() + Duration.ofMillis(400).toNanos();
        await(() -> System.nanoTime() > until);
      }
    }
  }

  @Test
  void aRequestInPiecesHasItsTimeFromTheFirstOn() throws InterruptedException {
    Duration whole = Duration.ofSeconds(5);
    var patience = new Patience(whole, whole, whole, whole, SHORT.lingering());
    try (var server =
            new ServerFixture(ServerFixture.config(), ServerFixture.emptyDatabase(), patience);
        var client = server.connect()) {
      String request = get("");
      client.send(request.substring(0, 8));
      // The clock of a connection looks each tenth of the time.
      long until = System.nanoTime() + whole.dividedBy(4).toNanos();
      await(() -> System.nanoTime() > until);
      assertEquals(200, reply(client.send(request.substring(8))).status());
    }
  }

  @Test
  void publicPagesNeedNoSignature() {
    NosqlConfig config =
        ServerFixture.config(
            Map.of("/ready", signed -> new Page(200, "text/plain", Bytes.utf8("ready"))),
            RequestObserver.NONE,
            Duration.ofSeconds(10));
    try (var server = new ServerFixture(config, ServerFixture.emptyDatabase(), Patience.USUAL);
        var client = server.connect()) {
      RawClient.Reply reply = reply(client.send("GET /ready?x HTTP/1.1\r\nHost: a\r\n\r\n"));
      assertEquals("ready", reply.body());
      assertEquals("text/plain", reply.header("content-type"));
      assertEquals(401, reply(client.send("POST /ready HTTP/1.1\r\nHost: a\r\n\r\n")).status());
      assertEquals(401, reply(client.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")).status());
    }
  }

  @Test
  void answersAreObserved() {
    var observed = new ConcurrentLinkedQueue<String>();
    NosqlConfig config = observing((route, status, nanos) -> observed.add(route + " " + status));
    try (var server = new ServerFixture(config, ServerFixture.emptyDatabase(), Patience.USUAL);
        var client = server.connect()) {
      assertEquals(404, reply(client.send(get("dbs/d"))).status());
      assertEquals(401, reply(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).status());
    }
    assertEquals("[ReadDatabase 404, None 401]", observed.toString());
  }

  private static NosqlConfig observing(RequestObserver observer) {
    return ServerFixture.config(Map.of(), observer, Duration.ofSeconds(10));
  }

  @Test
  void stoppingLetsRequestsInFlightEnd() throws InterruptedException {
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 0);
    // With less patience, the idle connection may end by itself before anybody stops the server.
    var server = new ServerFixture(ServerFixture.config(), late, Patience.USUAL);
    Thread stopping = Thread.ofPlatform().unstarted(() -> server.server().close());
    try {
      try (var busy = server.connect();
          var idle = server.connect()) {
        assertEquals(200, reply(idle.send(get(""))).status());
        busy.send(get("dbs/d"));
        await(() -> late.asked() == 1);
        stopping.start();
        assertTrue(idle.isClosedInOrder());
        late.allow(1);
        RawClient.Reply reply = reply(busy);
        assertEquals(404, reply.status());
        assertEquals("close", reply.header("connection"));
        assertTrue(busy.isClosedInOrder());
      }
      stopping.join();
    } finally {
      server.close();
    }
  }

  @Test
  void stoppingLetsAnswersBeTaken() throws Exception {
    var observed = new ConcurrentLinkedQueue<String>();
    NosqlConfig config = observing((route, status, nanos) -> observed.add(route));
    var server = new ServerFixture(config, ServerFixture.emptyDatabase(), Patience.USUAL);
    try (var socket = new Socket()) {
      String items = "dbs/d/colls/c/docs";
      try (WireClient client = server.client()) {
        client.post("dbs", "{\"id\":\"d\"}");
        client.post("dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
        String text = "x".repeat(1_900_000);
        String item = "{\"id\":\"i\",\"pk\":\"a\",\"text\":\"" + text + "\"}";
        assertEquals(201, client.post(items, item).status());
      }
      socket.setReceiveBufferSize(4_096);
      socket.connect(server.address());
      var slow = new RawClient(socket);
      String key = "x-ms-documentdb-partitionkey: [\"a\"]\r\n";
      // More than the system keeps for a connection: one of the answers waits in the server.
      slow.send(get(items + "/i", key).repeat(8));
      await(() -> observed.contains("ReadItem"));
      awaitQuiet(observed::size);
      Thread stopping = Thread.ofPlatform().start(() -> server.server().close());
      awaitRefused(server);
      // Counted at the end: a request that was being done when the server stopped is answered, too.
      long taken = 0;
      for (RawClient.Reply reply = slow.reply(); reply != null; reply = slow.reply()) {
        assertEquals(200, reply.status());
        taken++;
      }
      slow.close();
      stopping.join();
      assertEquals(observed.stream().filter("ReadItem"::equals).count(), taken);
    } finally {
      server.close();
    }
  }

  private static void awaitQuiet(IntSupplier count) throws InterruptedException {
    for (int before = -1; before != count.getAsInt(); ) {
      before = count.getAsInt();
      Thread.sleep(200);
    }
  }

  private static void awaitRefused(ServerFixture server) throws InterruptedException {
    await(
        () -> {
          try (var late = new Socket()) {
            late.connect(server.address());
            return false;
          } catch (IOException refused) {
            return true;
          }
        });
  }

  @Test
  void changesOfClientsThatAreGoneAreAudited() throws InterruptedException {
    var noted = new ConcurrentLinkedQueue<AuditTrail.Event>();
    var audit =
        new AuditTrail() {
          @Override
          public void refused(Event event) {}

          @Override
          public void changed(Event event) {
            noted.add(event);
          }
        };
    NosqlConfig config =
        ServerFixture.config(new AccountAccess(() -> ServerFixture.KEYS, OwnHosts.ANY, audit));
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 0);
    try (var server = new ServerFixture(config, late, Patience.USUAL)) {
      try (var client = server.connect()) {
        String signed = Signature.now().lines("POST", "dbs");
        client.send(
            "POST /dbs HTTP/1.1\r\nHost: localhost\r\n"
                + signed
                + "Content-Length: 10\r\n\r\n{\"id\":\"d\"}");
        await(() -> late.asked() == 1);
      }
      await(late::isLastCancelled);
      late.allow(1);
      await(() -> !noted.isEmpty());
      assertEquals(201, noted.remove().status());
    }
  }

  @Test
  void workOfAClientThatIsGoneIsCancelled() throws InterruptedException {
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 0);
    try (var server = new ServerFixture(ServerFixture.config(), late, Patience.USUAL)) {
      try (var client = server.connect()) {
        client.send(get("dbs/d"));
        await(() -> late.asked() == 1);
        assertFalse(late.isLastCancelled());
      }
      await(late::isLastCancelled);
    }
  }

  @Test
  void stoppingDoesNotWaitForever() throws InterruptedException {
    var late = new LateDatabase(ServerFixture.emptyDatabase(), 0);
    var server = new ServerFixture(stopWithin(Duration.ofMillis(100)), late, Patience.USUAL);
    try (var busy = server.connect()) {
      busy.send(get("dbs/d"));
      await(() -> late.asked() == 1);
      server.server().close();
      assertNull(busy.replyOrNull());
    } finally {
      server.close();
    }
  }

  private static NosqlConfig stopWithin(Duration limit) {
    return ServerFixture.config(Map.of(), RequestObserver.NONE, limit);
  }

  @Test
  void activityIdsAreTheClientsOrNew() {
    try (var server = new ServerFixture();
        var client = server.connect()) {
      String own = "x-ms-activity-id: 6f9619ff-8b86-d011-b42d-00c04fc964ff\r\n";
      RawClient.Reply reply = reply(client.send(get("", own)));
      assertEquals("6f9619ff-8b86-d011-b42d-00c04fc964ff", reply.header("x-ms-activity-id"));
      String none = "x-ms-activity-id: <script>\r\n";
      String first = reply(client.send(get("", none))).header("x-ms-activity-id");
      String second = reply(client.send(get("", none))).header("x-ms-activity-id");
      assertEquals(4, UUID.fromString(first).version());
      assertEquals(2, UUID.fromString(first).variant());
      assertNotEquals(first, second);
    }
  }
}
