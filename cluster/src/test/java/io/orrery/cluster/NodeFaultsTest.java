package io.orrery.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.PeerReply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of connections that break, are spoilt on the way, or wait for long. */
@Timeout(60)
class NodeFaultsTest {
  private static final byte[] SECRET = "the secret of the account".getBytes(UTF_8);
  private static final int LARGE_BYTES = 1 << 20;

  /** Longer than the kernel waited once for a node that took no more. */
  private static final long LONG_SECONDS = 9;

  private final Memory asking = Memory.ofHeap(1L << 30);
  private final Memory answering = Memory.ofHeap(128 << 20);

  @Test
  void aConnectionThatIsNotReadForWantOfRoomStays() throws Exception {
    BlockingQueue<PeerReply> waiting = new LinkedBlockingQueue<>();
    try (var channel = new NodeChannel(SECRET, asking);
        var server =
            NodeServer.start("127.0.0.1", 0, SECRET, answering, (_, reply) -> waiting.add(reply))) {
      var calls = new ArrayList<CompletableFuture<DrawnBytes>>();
      for (int i = 0; i < 60; i++) {
        calls.add(channel.call("127.0.0.1:" + server.address().getPort(), new byte[LARGE_BYTES]));
      }
      TimeUnit.SECONDS.sleep(LONG_SECONDS);
      assertEquals(0, calls.stream().filter(CompletableFuture::isDone).count());
      for (CompletableFuture<DrawnBytes> call : calls) {
        waiting.take().accept(new byte[3]);
        try (DrawnBytes answer = call.get(30, TimeUnit.SECONDS)) {
          assertEquals(3, answer.bytes().length);
        }
      }
    }
  }

  private static FrameCodec codec(NodeRoom room) {
    var key = new Secret(SECRET).key(Secret.Role.CALLER, new byte[2 * Secret.NONCE_BYTES]);
    return new FrameCodec(FrameCipher.sealing(key), FrameCipher.opening(key), room);
  }

  /** Whoever changes bytes on the way needs no secret. */
  @Test
  void aFrameThatDoesNotOpenIsReturnedAlsoWhereOthersFollow() {
    var room = new NodeRoom(answering, Lane.NODE_REQUESTS);
    var connection = new EmbeddedChannel(codec(room));
    var garbage = new byte[4 + LARGE_BYTES + 4];
    ByteBuffer.wrap(garbage).putInt(LARGE_BYTES).putInt(4 + LARGE_BYTES, -1);
    try {
      connection.writeInbound(Unpooled.wrappedBuffer(garbage));
    } catch (CorruptedFrameException corrupted) {
      var _ = connection.close();
    }
    assertFalse(connection.isOpen());
    assertEquals(0, answering.takenBytes(Lane.NODE_REQUESTS));
  }

  @Test
  void connectionsWithChangedBytesLeaveRoomForOthers() throws Exception {
    try (var channel = new NodeChannel(SECRET, asking);
        var server =
            NodeServer.start(
                "127.0.0.1", 0, SECRET, answering, (_, reply) -> reply.accept(new byte[3]))) {
      int port = server.address().getPort();
      for (int i = 0; i < 12; i++) {
        try (var relay = new Relay(port, NodeFaultsTest::changed, Relay.NONE)) {
          channel.call(relay.address(), new byte[400_000]).get(20, TimeUnit.SECONDS).close();
        } catch (ExecutionException corrupted) {
          // As it should be.
        }
      }
      try (DrawnBytes answer =
          channel.call("127.0.0.1:" + port, new byte[3 * LARGE_BYTES]).get(20, TimeUnit.SECONDS)) {
        assertEquals(3, answer.bytes().length);
      }
    }
  }

  /** One byte is another, and what follows is no frame. */
  private static List<byte[]> changed(byte[] frame) {
    byte[] changed = Arrays.copyOf(frame, frame.length + 4);
    changed[100] ^= 1;
    changed[frame.length] = -1;
    return List.of(changed);
  }
}
