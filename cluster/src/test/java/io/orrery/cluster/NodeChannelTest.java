package io.orrery.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.DrawnBytes;
import io.orrery.operation.Memory;
import io.orrery.operation.PeerOverloaded;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeChannelTest {
  private static final byte[] SECRET = "the secret of the account".getBytes(UTF_8);

  private final List<AutoCloseable> open = new ArrayList<>();
  private static final Memory MEMORY = Memory.ofHeap(1L << 30);

  private final NodeChannel channel = opened(new NodeChannel(SECRET, MEMORY));

  private <T extends AutoCloseable> T opened(T it) {
    open.add(it);
    return it;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable it : open.reversed()) {
      it.close();
    }
  }

  private String serve(NodeServer.Handler handler) throws IOException {
    return at(opened(NodeServer.start("127.0.0.1", 0, SECRET, MEMORY, handler)));
  }

  private static String at(NodeServer server) {
    return "127.0.0.1:" + server.address().getPort();
  }

  private static void echo(byte[] request, Consumer<byte[]> answer) {
    answer.accept(request);
  }

  private static byte[] taken(CompletableFuture<DrawnBytes> call) throws Exception {
    try (DrawnBytes answer = call.get(30, TimeUnit.SECONDS)) {
      return answer.bytes();
    }
  }

  private static Throwable failure(CompletableFuture<DrawnBytes> call) {
    return Objects.requireNonNull(
        assertThrows(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS)).getCause());
  }

  private static void assertUnknown(Throwable failure) {
    assertInstanceOf(IOException.class, failure);
    assertFalse(failure instanceof ConnectException, failure.toString());
  }

  @Test
  void manyCallsAtOnceGetTheirOwnAnswers() throws Exception {
    String first = serve(NodeChannelTest::echo);
    String second =
        serve((request, answer) -> Thread.startVirtualThread(() -> answer.accept(request)));
    NodeChannel back = opened(new NodeChannel(SECRET, MEMORY));
    var calls = new ArrayList<CompletableFuture<DrawnBytes>>();
    for (int i = 0; i < 2_000; i++) {
      byte[] request = ("request " + i).getBytes(UTF_8);
      calls.add(channel.call(i % 2 == 0 ? first : second, request));
      calls.add(back.call(i % 2 == 0 ? second : first, request));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertEquals("request " + i / 2, new String(taken(calls.get(i)), UTF_8));
    }
  }

  @Test
  void largeMessagesArrive() throws Exception {
    String node = serve(NodeChannelTest::echo);
    var random = new Random(17);
    for (int size : new int[] {0, 1, 65_536, 5 << 20, Frame.PAYLOAD_BYTES_MAX}) {
      var message = new byte[size];
      random.nextBytes(message);
      assertArrayEquals(message, taken(channel.call(node, message)));
    }
    byte[] tooLarge = new byte[Frame.PAYLOAD_BYTES_MAX + 1];
    assertThrows(IllegalArgumentException.class, () -> channel.call(node, tooLarge));
  }

  @Test
  void whoIsNotThereGotNothing() {
    assertInstanceOf(ConnectException.class, failure(channel.call("127.0.0.1:1", new byte[1])));
    assertInstanceOf(ConnectException.class, failure(channel.call("nobody", new byte[1])));
    assertInstanceOf(ConnectException.class, failure(channel.call("a:99999", new byte[1])));
  }

  @Test
  void anotherSecretIsRefused() throws Exception {
    var asked = new LinkedBlockingQueue<byte[]>();
    String node = serve((request, _) -> asked.add(request));
    NodeChannel other = opened(new NodeChannel("of another account".getBytes(UTF_8), MEMORY));
    Throwable failure = failure(other.call(node, new byte[1]));
    assertInstanceOf(ConnectException.class, failure);
    assertTrue(String.valueOf(failure.getMessage()).contains("has another secret"));
    assertTrue(asked.isEmpty());
  }

  @Test
  void whoThrowsLetsTheCallFail() throws Exception {
    String node =
        serve(
            (request, answer) -> {
              if (request.length == 0) {
                throw new IllegalStateException("on purpose");
              }
              answer.accept(request);
            });
    Throwable failure = failure(channel.call(node, new byte[0]));
    assertUnknown(failure);
    assertTrue(String.valueOf(failure.getMessage()).contains("on purpose"));
    assertEquals(1, taken(channel.call(node, new byte[1])).length);
  }

  @Test
  void slowAnswersHoldNobodyUp() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    String node =
        serve(
            (request, answer) -> {
              if (request.length == 0) {
                waiting.add(answer);
              } else {
                answer.accept(request);
              }
            });
    CompletableFuture<DrawnBytes> slow = channel.call(node, new byte[0]);
    Consumer<byte[]> answer = waiting.take();
    for (int i = 0; i < 100; i++) {
      assertEquals(1, taken(channel.call(node, new byte[1])).length);
    }
    assertFalse(slow.isDone());
    answer.accept(new byte[7]);
    assertEquals(7, taken(slow).length);
    assertThrows(IllegalStateException.class, () -> answer.accept(new byte[7]));
  }

  @Test
  void aCancelledCallIsForgottenAndItsAnswerDropped() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    String node = serve((_, answer) -> waiting.add(answer));
    CompletableFuture<DrawnBytes> given = channel.call(node, new byte[0]);
    Consumer<byte[]> late = waiting.take();
    assertTrue(given.cancel(true));
    late.accept(new byte[1]);
    CompletableFuture<DrawnBytes> next = channel.call(node, new byte[0]);
    waiting.take().accept(new byte[2]);
    assertEquals(2, taken(next).length);
  }

  @Test
  void aNodeThatStopsLeavesItsCallsUnknownAndIsFoundAgain() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    NodeServer server =
        opened(
            NodeServer.start("127.0.0.1", 0, SECRET, MEMORY, (_, answer) -> waiting.add(answer)));
    CompletableFuture<DrawnBytes> call = channel.call(at(server), new byte[0]);
    waiting.take();
    int port = server.address().getPort();
    server.close();
    assertUnknown(failure(call));
    assertInstanceOf(ConnectException.class, failure(channel.call(at(server), new byte[0])));
    opened(NodeServer.start("127.0.0.1", port, SECRET, MEMORY, NodeChannelTest::echo));
    assertEquals(3, taken(channel.call(at(server), new byte[3])).length);
  }

  @Test
  void aForgottenNodeIsNotWaitedFor() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    String node = serve((_, answer) -> waiting.add(answer));
    List<CompletableFuture<DrawnBytes>> calls =
        List.of(channel.call(node, new byte[1]), channel.call(node, new byte[2]));
    waiting.take();
    waiting.take();
    channel.forget(node);
    calls.forEach(call -> assertUnknown(failure(call)));
    CompletableFuture<DrawnBytes> again = channel.call(node, new byte[3]);
    waiting.take().accept(new byte[4]);
    assertEquals(4, taken(again).length);
  }

  @Test
  void whoClosesWaitsForNobody() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    String node = serve((_, answer) -> waiting.add(answer));
    CompletableFuture<DrawnBytes> call = channel.call(node, new byte[1]);
    Consumer<byte[]> late = waiting.take();
    channel.close();
    assertUnknown(failure(call));
    late.accept(new byte[1]);
    assertInstanceOf(ConnectException.class, failure(channel.call(node, new byte[1])));
  }

  @Test
  void moreThanMayWaitIsRefusedUnsent() throws Exception {
    var waiting = new LinkedBlockingQueue<Consumer<byte[]>>();
    String node = serve((_, answer) -> waiting.add(answer));
    var calls = new ArrayList<CompletableFuture<DrawnBytes>>();
    for (int i = 0; i < 4; i++) {
      calls.add(channel.call(node, new byte[Frame.PAYLOAD_BYTES_MAX]));
    }
    assertInstanceOf(PeerOverloaded.class, failure(calls.removeLast()));
    for (CompletableFuture<DrawnBytes> call : calls) {
      waiting.take().accept(new byte[5]);
      assertEquals(5, taken(call).length);
    }
    CompletableFuture<DrawnBytes> again = channel.call(node, new byte[Frame.PAYLOAD_BYTES_MAX]);
    waiting.take().accept(new byte[6]);
    assertEquals(6, taken(again).length);
    assertArrayEquals(new byte[6], again.get().bytes());
  }
}
