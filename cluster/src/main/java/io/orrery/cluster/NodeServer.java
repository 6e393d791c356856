package io.orrery.cluster;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.orrery.operation.Memory;
import io.orrery.operation.PeerReply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers the other nodes of the account. */
public final class NodeServer implements AutoCloseable {

  /** Takes what other nodes ask. */
  public interface Handler {
    /**
     * Gives the answer to {@code reply}, once, on any thread. Must not block: the thread serves
     * connections. Who throws lets the call fail at the other end.
     */
    void receive(byte[] request, PeerReply reply);
  }

  private final EventLoopGroup loops;
  private final ChannelGroup connections;
  private final Channel listener;
  private final AtomicBoolean closed = new AtomicBoolean();

  private NodeServer(EventLoopGroup loops, ChannelGroup connections, Channel listener) {
    this.loops = loops;
    this.connections = connections;
    this.listener = listener;
  }

  /**
   * Listens from now on, to nodes that know the secret.
   *
   * @param memory that requests and answers are drawn from
   * @throws IOException when the address is taken or not one of this machine
   */
  public static NodeServer start(
      String host, int port, byte[] secret, Memory memory, Handler handler) throws IOException {
    var own = new Secret(secret);
    var strangers = new Strangers();
    var requests = new NodeRoom(memory, Memory.Lane.NODE_REQUESTS);
    var unsent = new NodeRoom(memory, Memory.Lane.NODE_OUT);
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    EventLoopGroup loops = Transport.loops("node-server");
    ChannelFuture bound =
        Transport.answerer(loops)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    var ending = new Greeted(name(channel), handler, unsent, strangers);
                    channel
                        .pipeline()
                        .addLast(new Handshake(own, Secret.Role.ANSWERER, requests, ending));
                  }
                })
            .bind(new InetSocketAddress(host, port))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      Transport.stop(loops);
      throw new IOException("Cannot listen to other nodes on " + host + ":" + port, bound.cause());
    }
    return new NodeServer(loops, connections, bound.channel());
  }

  /** The machine alone: a caller's port is another one each time. */
  private static String name(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress().getHostAddress()
        : "unknown";
  }

  private record Greeted(String peer, Handler handler, NodeRoom unsent, Strangers strangers)
      implements Handshake.Ending {
    @Override
    public void known(ChannelHandlerContext ctx, FrameCodec codec) {
      strangers.known(peer);
      Transport.talk(ctx.pipeline(), new AnsweringConnection(peer, handler, unsent, codec));
    }

    @Override
    public void refused(ConnectException cause) {
      strangers.refused(peer, cause);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Closes all connections: calls that were not answered fail at the other ends. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      listener.close().awaitUninterruptibly();
      connections.close().awaitUninterruptibly();
      Transport.stop(loops);
    }
  }
}
