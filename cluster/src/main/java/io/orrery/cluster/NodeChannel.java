package io.orrery.cluster;

import io.netty.channel.EventLoopGroup;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.Memory;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks other nodes of the account: over one connection per node, opened when it is needed and again
 * after it broke.
 */
public final class NodeChannel implements AutoCloseable {
  /** A few of the largest requests, or a hundred thousand small ones. */
  private static final long WAITING_BYTES_MAX = 128 << 20;

  private final Secret secret;
  private final NodeRoom answers;

  /** For each other node at most as much as clients may send here in all. */
  private final long waitingBytesMax;

  private final Strangers strangers = new Strangers();
  private final EventLoopGroup loops = Transport.loops("node-channel");
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param memory that answers are drawn from
   */
  public NodeChannel(byte[] secret, Memory memory) {
    this.secret = new Secret(secret);
    this.answers = new NodeRoom(memory, Memory.Lane.NODE_ANSWERS);
    this.waitingBytesMax = Math.min(WAITING_BYTES_MAX, memory.boundBytes(Memory.Lane.WIRE_IN));
  }

  /**
   * Asks the node at {@code host:port}. There is no limit of time: who gives up cancels. The future
   * ends on a thread that serves connections, which must not be blocked. The answer has to be
   * closed, also by who gave up and gets it all the same: its bytes are drawn from the memory that
   * other answers need.
   *
   * <p>It fails with a {@link ConnectException} when certainly nothing was sent, and with another
   * {@link java.io.IOException} when the node may have got the request and done what it asks.
   *
   * @throws IllegalArgumentException when the request is too large to be sent anywhere
   */
  public CompletableFuture<DrawnBytes> call(String hostPort, byte[] request) {
    if (request.length > Frame.PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException("A request has " + request.length + " bytes");
    }
    InetSocketAddress address = address(hostPort);
    if (address == null || closed) {
      return CompletableFuture.failedFuture(
          new ConnectException(
              closed ? "This node stops" : hostPort + " is not an address of the form host:port"));
    }
    return peers
        .computeIfAbsent(
            hostPort,
            name ->
                new Peer(name, address, loops.next(), secret, answers, waitingBytesMax, strangers))
        .call(request);
  }

  private static @Nullable InetSocketAddress address(String hostPort) {
    int colon = hostPort.lastIndexOf(':');
    try {
      int port = Integer.parseInt(hostPort.substring(colon + 1));
      return colon < 1
          ? null
          : InetSocketAddress.createUnresolved(hostPort.substring(0, colon), port);
    } catch (IllegalArgumentException noPort) {
      return null;
    }
  }

  /** The node is known to be gone: nobody waits for its answers any longer. */
  public void forget(String hostPort) {
    Peer peer = peers.remove(hostPort);
    if (peer != null) {
      peer.close("has left before it answered");
    }
  }

  @Override
  public void close() {
    closed = true;
    peers.values().forEach(peer -> peer.close("was not waited for: this node stops"));
    peers.clear();
    Transport.stop(loops);
  }
}
