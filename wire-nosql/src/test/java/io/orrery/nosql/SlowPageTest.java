package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.http.Bounds;
import io.orrery.http.OpenConnections;
import io.orrery.http.Patience;
import io.orrery.http.WireMemory;
import io.orrery.operation.Bytes;
import io.orrery.operation.Memory;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A page that takes long, and many clients that want it. */
@Timeout(300)
class SlowPageTest {
  private static final int CONNECTIONS = 5;
  private static final String ASK = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final OpenConnections connections = new OpenConnections(CONNECTIONS, 1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  private Page page(boolean signed) {
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new Page(200, "text/plain", Bytes.utf8("done"));
  }

  private NosqlConfig config() {
    return ServerFixture.config(
        Map.of("/metrics", this::page),
        new Bounds(new WireMemory(Memory.ofHeap(64 << 20)), connections, true));
  }

  /** Clients that ask and disconnect are no longer counted as connections. */
  @Test
  void requestsThatClientsLeaveBehindAreBounded() throws InterruptedException {
    try (var server = new ServerFixture(config(), ServerFixture.emptyDatabase(), Patience.USUAL);
        RawClient first = server.connect()) {
      first.send(ASK);
      begun.await();
      for (int i = 0; i < CONNECTIONS; i++) {
        askAndLeave(server);
      }
      try (RawClient oneMore = server.connect()) {
        RawClient.Reply refused = Objects.requireNonNull(oneMore.send(ASK).reply());
        assertEquals(503, refused.status());
        assertEquals("1", refused.header("retry-after"));
      }
      end.countDown();
      assertEquals("done", Objects.requireNonNull(first.reply()).body());
      assertEquals("done", askUntilThereIsRoom(first).body());
    } finally {
      end.countDown();
    }
  }

  /** The thread of pages takes those that were left behind a moment after its answer. */
  private static RawClient.Reply askUntilThereIsRoom(RawClient client) {
    RawClient.Reply reply = Objects.requireNonNull(client.send(ASK).reply());
    while (reply.status() == 503) {
      reply = Objects.requireNonNull(client.send(ASK).reply());
    }
    return reply;
  }

  private void askAndLeave(ServerFixture server) {
    try (RawClient client = server.connect()) {
      client.send(ASK);
      while (connections.open() < 2) {
        Thread.onSpinWait();
      }
    }
    while (connections.open() > 1) {
      Thread.onSpinWait();
    }
  }
}
