package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.http.Bounds;
import io.orrery.http.OpenConnections;
import io.orrery.http.Patience;
import io.orrery.http.WireMemory;
import io.orrery.operation.Bytes;
import io.orrery.operation.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server all of whose workers are busy with large bodies. */
@Timeout(300)
class BusyWorkersTest {
  private static final String ITEMS = "dbs/d/colls/c/docs";
  private static final int WORKERS = Runtime.getRuntime().availableProcessors();
  private static final int LARGE_BYTES = 2_000_000;

  /** Too large to be parsed on an event loop. */
  private static final int FOR_WORKERS_BYTES = 20_000;

  private static final long HELD_BYTES = (long) WORKERS * FOR_WORKERS_BYTES;

  private final Memory memory = Memory.ofHeap(512 << 20);
  private final OpenConnections connections = new OpenConnections(WORKERS + 10, 1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<RawClient> busy = new ArrayList<>();
  private ServerFixture server;

  @BeforeEach
  void holdAllWorkers() throws InterruptedException {
    var held = new CountDownLatch(WORKERS);
    var database = new WatchedDatabase(ServerFixture.emptyDatabase(), _ -> holdUntilTheEnd(held));
    server = new ServerFixture(config(), database, Patience.USUAL);
    for (int i = 0; i < WORKERS; i++) {
      busy.add(server.connect().send(create(FOR_WORKERS_BYTES)));
    }
    held.await();
  }

  private void holdUntilTheEnd(CountDownLatch held) {
    held.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private NosqlConfig config() {
    return ServerFixture.config(
        Map.of("/ready", signed -> new Page(200, "text/plain", Bytes.utf8("ready"))),
        new Bounds(new WireMemory(memory), connections, true));
  }

  @AfterEach
  void stop() {
    end.countDown();
    busy.forEach(RawClient::close);
    server.close();
  }

  private static String create(int bytes) {
    String frame = "{\"id\":\"1\",\"pk\":\"a\",\"text\":\"\"}";
    String item = frame.replace("\"\"", "\"" + "x".repeat(bytes - frame.length()) + "\"");
    return ("POST /" + ITEMS + " HTTP/1.1\r\nHost: localhost\r\n")
        + Signature.now().lines("POST", ITEMS)
        + ("Content-Length: " + bytes + "\r\n\r\n" + item);
  }

  /** Until the server has accepted the connection and read the body. */
  private void awaitTaken(long bytes) {
    while (memory.takenBytes(Memory.Lane.WIRE_IN) != bytes) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aBodyIsCountedUntilItsWorkerIsDone() {
    try (RawClient client = server.connect()) {
      client.send(create(LARGE_BYTES));
      awaitTaken(HELD_BYTES + LARGE_BYTES);
    }
    while (connections.open() > WORKERS) {
      Thread.onSpinWait();
    }
    assertEquals(HELD_BYTES + LARGE_BYTES, memory.takenBytes(Memory.Lane.WIRE_IN));
    end.countDown();
    awaitTaken(0);
  }

  /** A probe has a second: it must not wait for hundreds of bodies to be parsed. */
  @Test
  void publicPagesDoNotWaitForWorkers() {
    busy.add(server.connect().send(create(FOR_WORKERS_BYTES)));
    awaitTaken(HELD_BYTES + FOR_WORKERS_BYTES);
    try (RawClient probe = server.connect()) {
      probe.send("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertEquals("ready", Objects.requireNonNull(probe.reply()).body());
    }
  }
}
