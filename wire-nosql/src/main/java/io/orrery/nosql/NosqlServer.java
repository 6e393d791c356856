package io.orrery.nosql;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.orrery.operation.Database;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Serves the Cosmos DB REST protocol, with and without TLS, on one port. */
public final class NosqlServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;

  private final EventLoopGroup loops;
  private final ChannelGroup connections;
  private final ServerSocketChannel listener;
  private final long stopNanos;
  private final AtomicBoolean closed = new AtomicBoolean();

  private NosqlServer(
      EventLoopGroup loops,
      ChannelGroup connections,
      ServerSocketChannel listener,
      long stopNanos) {
    this.loops = loops;
    this.connections = connections;
    this.listener = listener;
    this.stopNanos = stopNanos;
  }

  /** Listens from now on. The database stays the caller's, who closes it after the server. */
  public static NosqlServer start(NosqlConfig config, Database database) {
    return start(config, database, Patience.USUAL);
  }

  static NosqlServer start(NosqlConfig config, Database database, Patience patience) {
    var service = new NosqlService(config, database, patience);
    var tls = new TlsContext(config.tls());
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    boolean epoll = Epoll.isAvailable();
    ThreadFactory threads = new DefaultThreadFactory("nosql");
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            0, threads, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    try {
      ChannelFuture listening =
          new ServerBootstrap()
              .group(loops)
              .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
              .option(ChannelOption.SO_BACKLOG, BACKLOG)
              .option(ChannelOption.SO_REUSEADDR, true)
              .childOption(ChannelOption.TCP_NODELAY, true)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      connections.add(channel);
                      channel.pipeline().addLast(new FirstByte(service, tls));
                    }
                  })
              .bind(new InetSocketAddress(config.host(), config.port()))
              .awaitUninterruptibly();
      if (!listening.isSuccess()) {
        throw new CannotListen(listening.cause());
      }
      return new NosqlServer(
          loops,
          connections,
          (ServerSocketChannel) listening.channel(),
          config.stopWithin().toNanos());
    } catch (RuntimeException | Error fault) {
      var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw fault;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return listener.localAddress();
  }

  /** Takes no more connections, lets requests in flight end up to the deadline, then closes all. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    listener.close().syncUninterruptibly();
    for (Channel connection : connections) {
      connection.pipeline().fireUserEventTriggered(NosqlConnection.Event.STOPPING);
    }
    connections.newCloseFuture().awaitUninterruptibly(stopNanos, TimeUnit.NANOSECONDS);
    connections.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
