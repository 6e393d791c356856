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
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes from strangers, or was changed on the way, is not acted on. */
@Timeout(60)
class HostileBytesTest {
  private static final byte[] SECRET = "the secret of the account".getBytes(UTF_8);
  private static final byte[] REQUEST = "request".getBytes(UTF_8);

  private final AtomicInteger received = new AtomicInteger();
  private final NodeServer server =
      NodeServer.start(
          "127.0.0.1",
          0,
          SECRET,
          Memory.process(),
          (request, answer) -> {
            received.incrementAndGet();
            answer.accept(request);
          });
  private final NodeChannel channel = new NodeChannel(SECRET, Memory.process());

  HostileBytesTest() throws IOException {}

  @AfterEach
  void close() {
    channel.close();
    server.close();
  }

  private Relay relay(Relay.Edit requests, Relay.Edit answers) throws IOException {
    return new Relay(server.address().getPort(), requests, answers);
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

  private void assertUnknown(Relay relay) {
    Throwable failure = failure(channel.call(relay.address(), REQUEST));
    assertInstanceOf(IOException.class, failure);
    assertFalse(failure instanceof ConnectException, failure.toString());
  }

  private void assertStillServing() throws Exception {
    String direct = "127.0.0.1:" + server.address().getPort();
    assertArrayEquals(REQUEST, taken(channel.call(direct, REQUEST)));
  }

  private static Relay.Edit flip(int place) {
    return frame -> {
      byte[] flipped = frame.clone();
      flipped[place < 0 ? flipped.length + place : place] ^= (byte) 0x80;
      return List.of(flipped);
    };
  }

  @Test
  void flippedRequestsAreNotReceived() throws Exception {
    for (int place : new int[] {4, 5, 13, 18, -1}) {
      try (Relay relay = relay(flip(place), Relay.NONE)) {
        assertUnknown(relay);
      }
    }
    assertEquals(0, received.get());
    assertStillServing();
  }

  @Test
  void flippedAnswersAreNotBelieved() throws Exception {
    for (int place : new int[] {4, 5, 13, 18, -1}) {
      try (Relay relay = relay(Relay.NONE, flip(place))) {
        assertUnknown(relay);
      }
    }
    assertStillServing();
  }

  @Test
  void impossibleLengthsEndTheConnection() throws Exception {
    try (Relay relay = relay(flip(0), Relay.NONE)) {
      assertUnknown(relay);
    }
    try (Relay relay = relay(Relay.NONE, flip(0))) {
      assertUnknown(relay);
    }
    assertStillServing();
  }

  @Test
  void cutFramesLeaveTheCallUnknown() throws Exception {
    Relay.Edit cut = frame -> List.of(Arrays.copyOf(frame, frame.length / 2), new byte[0]);
    try (Relay relay = relay(cut, Relay.NONE)) {
      assertUnknown(relay);
      assertEquals(0, received.get());
    }
    try (Relay relay = relay(Relay.NONE, cut)) {
      assertUnknown(relay);
      assertEquals(1, received.get());
    }
    assertStillServing();
  }

  @Test
  void replayedFramesAreReceivedOnce() throws Exception {
    try (Relay relay = relay(frame -> List.of(frame, frame), answer -> List.of())) {
      assertUnknown(relay);
    }
    assertEquals(1, received.get());
    assertStillServing();
  }

  @Test
  void replayedConnectionsAreRefused() throws Exception {
    byte[] asked;
    try (Relay relay = relay(Relay.NONE, Relay.NONE)) {
      assertArrayEquals(REQUEST, taken(channel.call(relay.address(), REQUEST)));
      asked = relay.asked();
    }
    assertTrue(asked.length > Relay.HANDSHAKE_BYTES);
    assertTrue(exchange(asked).length <= Relay.HANDSHAKE_BYTES);
    assertEquals(1, received.get());
    assertStillServing();
  }

  @Test
  void strangersAreClosedUponAtTheirFirstWrongByte() throws Exception {
    assertEquals(0, exchange("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8)).length);
    assertEquals(0, exchange(new byte[] {'O', 'R', 0}).length);
    assertEquals(0, exchange(new byte[100_000]).length);
    assertStillServing();
  }

  @Test
  void silentStrangersAreClosedUponInTime() throws Exception {
    long from = System.nanoTime();
    assertEquals(0, exchange(new byte[] {'O', 'R', 'R'}).length);
    assertTrue(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(30));
    assertStillServing();
  }

  @Test
  void anotherVersionIsToldOurs() throws Exception {
    byte[] hello =
        ByteBuffer.allocate(40).put(greeting(Greeting.VERSION + 1)).put(new byte[32]).array();
    assertArrayEquals(greeting(Greeting.VERSION), exchange(hello));
  }

  @Test
  void anotherVersionIsNotAsked() throws Exception {
    String message = String.valueOf(failure(callStranger(greeting(9))).getMessage());
    assertTrue(message.contains("speaks version 9"), message);
  }

  @Test
  void noNodeIsNotAsked() throws Exception {
    Throwable failure = failure(callStranger("HTTP/1.1 400 Bad Request".getBytes(UTF_8)));
    assertInstanceOf(ConnectException.class, failure);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("not a node of Orrery"), message);
  }

  private static byte[] greeting(int version) {
    return ByteBuffer.allocate(Greeting.BYTES)
        .put("ORRERY".getBytes(UTF_8))
        .putShort((short) version)
        .array();
  }

  /** All that the server says to these bytes until it closes the connection. */
  private byte[] exchange(byte[] bytes) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes);
      return socket.getInputStream().readAllBytes();
    } catch (java.net.SocketException reset) {
      // It closed with bytes of ours unread.
      return new byte[0];
    }
  }

  /** Calls somebody who says this, whatever it is asked. */
  private CompletableFuture<DrawnBytes> callStranger(byte[] saying) throws IOException {
    try (var stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<DrawnBytes> call =
          channel.call("127.0.0.1:" + stranger.getLocalPort(), REQUEST);
      try (Socket caller = stranger.accept()) {
        assertEquals(40, caller.getInputStream().readNBytes(40).length);
        caller.getOutputStream().write(saying);
        caller.getInputStream().readAllBytes();
      }
      return call;
    }
  }
}
