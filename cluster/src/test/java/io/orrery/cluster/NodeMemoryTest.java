package io.orrery.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.DrawnBytes;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.PeerReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nodes hold of each other is drawn from the account of memory, and returned once. */
@Timeout(60)
class NodeMemoryTest {
  private static final byte[] SECRET = "the secret of the account".getBytes(UTF_8);
  private static final int LARGE_BYTES = 1 << 20;
  private static final int CALLS = 40;

  /** So many large frames leave an eighth of a lane to small ones. */
  private static final int LANE_FRAMES = 3;

  /** Lanes of 4 MB, and of 8 MB for answers that are not sent. */
  private static final long HEAP_BYTES = 128 << 20;

  private final Memory asking = Memory.ofHeap(HEAP_BYTES);
  private final Memory answering = Memory.ofHeap(HEAP_BYTES);
  private final NodeChannel channel = new NodeChannel(SECRET, asking);

  /** Of a node that may send more than those of a small heap. */
  private final Memory wide = Memory.ofHeap(1L << 30);

  private final NodeChannel wideChannel = new NodeChannel(SECRET, wide);
  private final BlockingQueue<PeerReply> waiting = new LinkedBlockingQueue<>();
  private final List<NodeServer> servers = new ArrayList<>();

  @AfterEach
  void close() {
    channel.close();
    wideChannel.close();
    servers.forEach(NodeServer::close);
  }

  private String serve(NodeServer.Handler handler) throws IOException {
    NodeServer server = NodeServer.start("127.0.0.1", 0, SECRET, answering, handler);
    servers.add(server);
    return "127.0.0.1:" + server.address().getPort();
  }

  private List<CompletableFuture<DrawnBytes>> calls(String node, int bytes) {
    var calls = new ArrayList<CompletableFuture<DrawnBytes>>();
    for (int i = 0; i < CALLS; i++) {
      calls.add((bytes < LARGE_BYTES ? channel : wideChannel).call(node, new byte[bytes]));
    }
    return calls;
  }

  /** The server takes no more requests while many answers are unsent: all are here before. */
  private List<PeerReply> replies() throws InterruptedException {
    var replies = new ArrayList<PeerReply>();
    for (int i = 0; i < CALLS; i++) {
      replies.add(waiting.take());
    }
    return replies;
  }

  private static byte[] taken(CompletableFuture<DrawnBytes> call) throws Exception {
    try (DrawnBytes answer = call.get(30, TimeUnit.SECONDS)) {
      return answer.bytes();
    }
  }

  private static void assertReturned(Memory memory, Lane lane) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (memory.takenBytes(lane) != 0 && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertEquals(0, memory.takenBytes(lane), lane + " is not empty");
  }

  /** That a number is reached, and not exceeded for a while. */
  private static void assertStays(long expected, LongSupplier number) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (number.getAsLong() < expected && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    TimeUnit.MILLISECONDS.sleep(300);
    assertEquals(expected, number.getAsLong());
  }

  private void assertAllReturned() throws InterruptedException {
    assertReturned(asking, Lane.NODE_ANSWERS);
    assertReturned(wide, Lane.NODE_ANSWERS);
    assertReturned(answering, Lane.NODE_REQUESTS);
    assertReturned(answering, Lane.NODE_OUT);
  }

  @Test
  void answersThatNobodyTakesAreNotReadBeyondTheLane() throws Exception {
    String node = serve((_, answer) -> answer.accept(new byte[LARGE_BYTES]));
    List<CompletableFuture<DrawnBytes>> calls = calls(node, 1);
    assertStays(LANE_FRAMES, () -> calls.stream().filter(CompletableFuture::isDone).count());
    assertTrue(
        asking.takenBytes(Lane.NODE_ANSWERS) <= asking.boundBytes(Lane.NODE_ANSWERS),
        "more than the lane");
    for (CompletableFuture<DrawnBytes> call : calls) {
      assertEquals(LARGE_BYTES, taken(call).length);
    }
    assertAllReturned();
  }

  @Test
  void requestsThatAreWorkedOnAreNotReadBeyondTheLane() throws Exception {
    String node = serve((_, answer) -> waiting.add(answer));
    List<CompletableFuture<DrawnBytes>> calls = calls(node, LARGE_BYTES);
    assertStays(LANE_FRAMES, waiting::size);
    for (CompletableFuture<DrawnBytes> call : calls) {
      waiting.take().accept(new byte[2]);
      assertEquals(2, taken(call).length);
    }
    assertAllReturned();
  }

  @Test
  void framesAboveTheLaneAreAdmittedAlone() throws Exception {
    String node = serve((request, answer) -> answer.accept(request));
    var message = new byte[Frame.PAYLOAD_BYTES_MAX];
    new Random(7).nextBytes(message);
    CompletableFuture<DrawnBytes> first = wideChannel.call(node, message);
    CompletableFuture<DrawnBytes> second = wideChannel.call(node, message);
    assertArrayEquals(message, taken(first));
    assertArrayEquals(message, taken(second));
    assertAllReturned();
  }

  @Test
  void answersThatMayBeWithheldAreRefusedWhenTheOtherNodeDoesNotTakeThem() throws Exception {
    String node = serve((_, answer) -> waiting.add(answer));
    List<CompletableFuture<DrawnBytes>> asked = calls(node, 1);
    int refused = 0;
    for (PeerReply reply : replies()) {
      if (!reply.tryAccept(new byte[LARGE_BYTES])) {
        refused++;
        reply.accept(new byte[3]);
      }
    }
    assertTrue(refused > 0, "all answers were sent");
    int small = 0;
    for (CompletableFuture<DrawnBytes> call : asked) {
      small += taken(call).length == 3 ? 1 : 0;
    }
    assertEquals(refused, small);
    assertAllReturned();
  }

  @Test
  void answersThatHaveToBeToldAreSentBeyondTheLane() throws Exception {
    String node = serve((_, answer) -> waiting.add(answer));
    List<CompletableFuture<DrawnBytes>> calls = calls(node, 1);
    for (PeerReply reply : replies()) {
      reply.accept(new byte[LARGE_BYTES]);
    }
    assertTrue(answering.takenBytes(Lane.NODE_OUT) > answering.boundBytes(Lane.NODE_OUT));
    for (CompletableFuture<DrawnBytes> call : calls) {
      assertEquals(LARGE_BYTES, taken(call).length);
    }
    assertAllReturned();
  }

  @Test
  void answersOfCallsThatWereGivenUpAreReturned() throws Exception {
    var go = new CountDownLatch(1);
    String node =
        serve(
            (_, answer) ->
                Thread.startVirtualThread(
                    () -> {
                      try {
                        go.await();
                      } catch (InterruptedException e) {
                        return;
                      }
                      answer.accept(new byte[LARGE_BYTES]);
                    }));
    List<CompletableFuture<DrawnBytes>> calls = calls(node, 1);
    calls.forEach(call -> assertTrue(call.cancel(true)));
    go.countDown();
    assertEquals(LARGE_BYTES, taken(channel.call(node, new byte[1])).length);
    assertAllReturned();
  }

  @Test
  void aConnectionThatBreaksReturnsWhatItHeld() throws Exception {
    String node = serve((_, answer) -> waiting.add(answer));
    List<CompletableFuture<DrawnBytes>> calls = calls(node, LARGE_BYTES);
    PeerReply first = waiting.take();
    wideChannel.forget(node);
    calls.forEach(call -> assertTrue(call.handle((_, e) -> e != null).join()));
    first.accept(new byte[LARGE_BYTES]);
    for (PeerReply reply = waiting.poll(1, TimeUnit.SECONDS);
        reply != null;
        reply = waiting.poll(1, TimeUnit.SECONDS)) {
      reply.accept(new byte[1]);
    }
    assertAllReturned();
    CompletableFuture<DrawnBytes> again = wideChannel.call(node, new byte[LARGE_BYTES]);
    waiting.take().accept(new byte[5]);
    assertEquals(5, taken(again).length);
    assertNull(waiting.poll());
    assertFalse(again.isCompletedExceptionally());
    assertAllReturned();
  }
}
