package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Bounds;
import io.orrery.http.OpenConnections;
import io.orrery.http.Patience;
import io.orrery.http.WireMemory;
import io.orrery.nosql.WireClient.Reply;
import io.orrery.operation.Bytes;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many clients that take memory and connections, beside one that wants to be served. */
@ExtendWith(QuietLog.class)
@Timeout(300)
class CrowdTest {
  private static final String ITEMS = "dbs/d/colls/c/docs";
  private static final int LARGE_BYTES = 2_000_000;
  private static final String KEY = "x-ms-documentdb-partitionkey";
  private static final String[] BATCH = {
    KEY, "[\"a\"]", "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True"
  };

  /** Of 64 MB, 8 MB are for requests and 8 MB for answers: four large ones each. */
  private final Memory memory = Memory.ofHeap(64 << 20);

  private final OpenConnections connections = new OpenConnections(40, 1);
  private final List<RawClient> crowd = new ArrayList<>();
  private ServerFixture server;

  @BeforeEach
  void start() {
    var bounds = new Bounds(new WireMemory(memory), connections, true);
    server =
        new ServerFixture(
            ServerFixture.config(bounds), ServerFixture.emptyDatabase(), Patience.USUAL);
    try (WireClient client = server.client()) {
      assertEquals(201, client.post("dbs", "{\"id\":\"d\"}").status());
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
      assertEquals(201, client.post("dbs/d/colls", container).status());
    }
  }

  @AfterEach
  void stop() {
    crowd.forEach(RawClient::close);
    server.close();
    for (Memory.Lane lane : Memory.Lane.values()) {
      assertEquals(0, memory.takenBytes(lane), lane.name());
    }
  }

  private static String item(String id, int bytes) {
    String frame = "{\"id\":\"" + id + "\",\"pk\":\"a\",\"text\":\"\"}";
    return frame.replace("\"\"", "\"" + "x".repeat(bytes - frame.length()) + "\"");
  }

  private void sendAllButOneByte(String verb, String path, String headers) {
    RawClient client = server.connect();
    crowd.add(client);
    String head = verb + " /" + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers;
    client.send(head + "Content-Length: " + LARGE_BYTES + "\r\n\r\n");
    // Blocks once the server takes no more.
    Thread.ofVirtual().start(() -> trySend(client, new byte[LARGE_BYTES - 1]));
  }

  private static void trySend(RawClient client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (RuntimeException closed) {
      // The server closed the connection: that is one way to be free of it.
    }
  }

  private void assertServed(String id, int bytes) {
    try (WireClient client = server.client()) {
      assertEquals(201, client.post(ITEMS, item(id, bytes)).status());
      assertEquals(
          200, client.get(ITEMS + "/" + id, "x-ms-documentdb-partitionkey", "[\"a\"]").status());
    }
  }

  @Test
  void withheldBytesDoNotBlockOthers() {
    for (int i = 0; i < 30; i++) {
      sendAllButOneByte("POST", ITEMS, Signature.now().lines("POST", ITEMS));
    }
    for (int i = 0; i < 5; i++) {
      assertServed("small" + i, 1_000);
    }
    assertServed("large", LARGE_BYTES);
    assertTrue(memory.takenBytes(Memory.Lane.WIRE_IN) <= memory.boundBytes(Memory.Lane.WIRE_IN));
  }

  @Test
  void bodiesThatAreNotReadAreNotKept() {
    sendAllButOneByte("GET", "", Signature.now().lines("GET", ""));
    sendAllButOneByte("GET", "ready", "");
    sendAllButOneByte("DELETE", "dbs/x", Signature.now().lines("DELETE", "dbs/x"));
    sendAllButOneByte("POST", "dbs/x", Signature.now().lines("POST", "dbs/x"));
    sendAllButOneByte(
        "POST", ITEMS, Signature.now(ServerFixture.READ_ONLY_KEY).lines("POST", ITEMS));
    assertServed("1", 1_000);
    crowd.forEach(client -> client.send(new byte[1]));
    List<Integer> told =
        crowd.stream().map(client -> Objects.requireNonNull(client.reply()).status()).toList();
    assertEquals(List.of(200, 401, 404, 405, 403), told);
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_IN));
  }

  @Test
  void aCrowdOfLargeRequestsIsServedInTurn() {
    var done = new ArrayList<CompletableFuture<Integer>>();
    try (WireClient client = server.client()) {
      for (int i = 0; i < 30; i++) {
        String item = item("crowd" + i, LARGE_BYTES);
        done.add(CompletableFuture.supplyAsync(() -> client.post(ITEMS, item).status()));
      }
      done.forEach(one -> assertEquals(201, one.join()));
    }
  }

  @Test
  void answersThatAreNotTakenDoNotBlockOthers() {
    assertServed("large", LARGE_BYTES);
    String path = ITEMS + "/large";
    String head = "GET /" + path + " HTTP/1.1\r\nHost: localhost\r\n";
    String key = "x-ms-documentdb-partitionkey: [\"a\"]\r\n\r\n";
    for (int i = 0; i < 30; i++) {
      crowd.add(server.connect().send(head + Signature.now().lines("GET", path) + key));
    }
    for (int i = 0; i < 5; i++) {
      assertServed("small" + i, 1_000);
    }
    assertTrue(memory.takenBytes(Memory.Lane.WIRE_OUT) <= memory.boundBytes(Memory.Lane.WIRE_OUT));
    // Those that have not read for two seconds make room.
    int status = 503;
    try (WireClient client = server.client()) {
      while (status == 503) {
        status = client.get(path, "x-ms-documentdb-partitionkey", "[\"a\"]").status();
      }
    }
    assertEquals(200, status);
  }

  @Test
  void whatWasWrittenIsToldInShortWhenAnswersHaveNoRoom() {
    assertServed("large", LARGE_BYTES);
    long lane = memory.boundBytes(Memory.Lane.WIRE_OUT);
    // What the large answer drew is returned once it is written, which may be after it was read.
    while (!memory.tryTake(Memory.Lane.WIRE_OUT, lane)) {
      Thread.onSpinWait();
    }
    String patch = "{\"operations\":[{\"op\":\"add\",\"path\":\"/n\",\"value\":1}]}";
    String create = "{\"operationType\":\"Create\",\"resourceBody\":" + item("b", 200_000) + "}";
    try (WireClient client = server.client()) {
      assertShort(201, client.post(ITEMS, item("1", 200_000)));
      assertShort(200, client.send("PATCH", ITEMS + "/large", patch, KEY, "[\"a\"]"));
      Reply batch = client.post(ITEMS, "[" + create + "]", BATCH);
      assertEquals(200, batch.status());
      assertTrue(batch.body().contains("\"statusCode\":201"), batch.body());
      assertFalse(batch.body().contains("resourceBody"));
      Reply refused = client.get(ITEMS + "/1", KEY, "[\"a\"]");
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("retry-after"));
      memory.giveBack(Memory.Lane.WIRE_OUT, lane);
      assertEquals(200, client.get(ITEMS + "/1", KEY, "[\"a\"]").status());
      assertTrue(client.post(ITEMS, item("2", 200_000)).body().length() > 200_000);
    }
  }

  private static void assertShort(int status, Reply reply) {
    assertEquals(status, reply.status());
    assertEquals(0, reply.body().length());
    assertFalse(reply.header("etag").isEmpty());
  }

  @Test
  void answersOfWritesThatAreNotTakenAreCounted() {
    assertServed("large", LARGE_BYTES);
    String path = ITEMS + "/large";
    String patch = "{\"operations\":[{\"op\":\"add\",\"path\":\"/n\",\"value\":1}]}";
    String head = "PATCH /" + path + " HTTP/1.1\r\nHost: localhost\r\n";
    String rest = KEY + ": [\"a\"]\r\nContent-Length: " + patch.length() + "\r\n\r\n" + patch;
    while (memory.takenBytes(Memory.Lane.WIRE_OUT) < LARGE_BYTES) {
      assertTrue(crowd.size() < 39, "no answer was counted");
      RawClient client = server.connect();
      crowd.add(client);
      // More than the system keeps for a connection.
      client.send((head + Signature.now().lines("PATCH", path) + rest).repeat(5));
      assertServed("beside" + crowd.size(), 100);
    }
  }

  /** More requests than the system keeps answers of for a connection. */
  private void askWithoutReading(String path, int times) {
    String head = "GET /" + path + " HTTP/1.1\r\nHost: localhost\r\n";
    String rest = Signature.now().lines("GET", path) + KEY + ": [\"a\"]\r\n";
    String most = "x-ms-max-item-count: 1000\r\n\r\n";
    RawClient client = server.connect();
    crowd.add(client);
    byte[] requests = (head + rest + most).repeat(times).getBytes(StandardCharsets.US_ASCII);
    // Blocks once the server takes no more.
    Thread.ofVirtual().start(() -> trySend(client, requests));
  }

  @Test
  void manySmallAnswersThatAreNotTakenAreCounted() throws InterruptedException {
    assertServed("small", 40_000);
    long bound = memory.boundBytes(Memory.Lane.WIRE_UNSENT);
    long others = bound - 300_000;
    assertTrue(memory.tryTake(Memory.Lane.WIRE_UNSENT, others));
    for (int i = 0; i < 10; i++) {
      askWithoutReading(ITEMS + "/small", 500);
    }
    while (memory.takenBytes(Memory.Lane.WIRE_UNSENT) == others || connections.open() > 5) {
      assertTrue(memory.takenBytes(Memory.Lane.WIRE_UNSENT) <= bound);
      assertServed("beside" + System.nanoTime(), 100);
      Thread.sleep(10);
    }
    memory.giveBack(Memory.Lane.WIRE_UNSENT, others);
  }

  @Test
  void pagesOfTinyItemsAreCountedAsTheyAreWritten() {
    try (WireClient client = server.client()) {
      for (int i = 0; i < 300; i++) {
        assertEquals(201, client.post(ITEMS, "{\"id\":\"" + i + "\",\"pk\":\"a\"}").status());
      }
    }
    for (int i = 0; i < 3; i++) {
      askWithoutReading(ITEMS, 300);
    }
    while (memory.takenBytes(Memory.Lane.WIRE_OUT) == 0) {
      assertServed("beside" + System.nanoTime(), 100);
    }
  }

  /** The connections of a pool stay open for minutes, each after a last request. */
  @Test
  void whatWasAnsweredIsNotKept() {
    server.close();
    var bodies = new ConcurrentLinkedQueue<WeakReference<Bytes>>();
    var watched =
        new WatchedDatabase(
            ServerFixture.emptyDatabase(),
            operation -> {
              if (operation instanceof Operation.CreateItem create) {
                bodies.add(new WeakReference<>(create.body().bytes()));
              }
            });
    server = new ServerFixture(ServerFixture.config(), watched, Patience.USUAL);
    String item = item("1", LARGE_BYTES);
    String head = "POST /" + ITEMS + " HTTP/1.1\r\nHost: localhost\r\n";
    String length = "Content-Length: " + LARGE_BYTES + "\r\n\r\n";
    try (RawClient client = server.connect()) {
      client.send(head + Signature.now().lines("POST", ITEMS) + length + item);
      assertEquals(404, Objects.requireNonNull(client.reply()).status());
      assertEquals(1, bodies.size());
      awaitCollected(bodies.remove());
    }
  }

  private static void awaitCollected(WeakReference<?> reference) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!reference.refersTo(null)) {
      assertTrue(System.nanoTime() < deadline, "The body is still held");
      System.gc();
    }
  }

  @Test
  void connectionsBeyondTheBoundAreClosed() {
    while (connections.open() > 0) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < 40; i++) {
      RawClient client = server.connect();
      crowd.add(client);
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(401, Objects.requireNonNull(client.reply()).status());
    }
    try (RawClient oneMore = server.connect()) {
      assertNull(oneMore.replyOrNull());
    }
    assertEquals(1, connections.refused());
    crowd.removeFirst().close();
    boolean served = false;
    while (!served) {
      try (RawClient next = server.connect()) {
        served = next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").replyOrNull() != null;
      } catch (RuntimeException reset) {
        served = false;
      }
    }
  }
}
