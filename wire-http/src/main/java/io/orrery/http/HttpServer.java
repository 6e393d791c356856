package io.orrery.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
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
import io.orrery.operation.ThreadPriority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Serves a protocol over HTTP, with and without TLS, on one port. */
public final class HttpServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;

  /** The largest buffer to receive into: part of a TLS record keeps all of the one it came in. */
  private static final int RECEIVED_BYTES_MAX = 16 << 10;

  /** Events that every connection receives. */
  enum Event {
    STOPPING
  }

  private final EventLoopGroup loops;
  private final ChannelGroup connections;
  private final ServerSocketChannel listener;
  private final List<ExecutorService> threads;
  private final long stopNanos;
  private final AtomicBoolean stopping;

  private HttpServer(
      EventLoopGroup loops,
      ChannelGroup connections,
      ServerSocketChannel listener,
      List<ExecutorService> threads,
      long stopNanos,
      AtomicBoolean stopping) {
    this.loops = loops;
    this.connections = connections;
    this.listener = listener;
    this.threads = threads;
    this.stopNanos = stopNanos;
    this.stopping = stopping;
  }

  /** Listens from now on. The database stays the caller's, who closes it after the server. */
  public static HttpServer start(Listening listening, Protocol<?> protocol) {
    ExecutorService workers = workers(protocol.name());
    ExecutorService pages = pages(protocol.name(), listening.bounds().connections().max());
    var tls = new TlsContext(listening.tls());
    Hosting<?> hosting = new Hosting<>(protocol, listening.bounds(), tls, workers, pages);
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    boolean epoll = Epoll.isAvailable();
    ThreadFactory loopThreads = new DefaultThreadFactory(protocol.name());
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            0, loopThreads, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    try {
      ChannelFuture bound =
          new ServerBootstrap()
              .group(loops)
              .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
              .option(ChannelOption.SO_BACKLOG, BACKLOG)
              .option(ChannelOption.SO_REUSEADDR, true)
              .childOption(ChannelOption.TCP_NODELAY, true)
              .childOption(
                  ChannelOption.RECVBUF_ALLOCATOR,
                  new AdaptiveRecvByteBufAllocator(64, 2_048, RECEIVED_BYTES_MAX))
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      if (isCounted(channel, listening.bounds().connections())) {
                        connections.add(channel);
                        channel.pipeline().addLast(new FirstByte(hosting));
                      }
                    }
                  })
              .bind(new InetSocketAddress(listening.host(), listening.port()))
              .awaitUninterruptibly();
      if (!bound.isSuccess()) {
        throw new CannotListen(bound.cause());
      }
      return new HttpServer(
          loops,
          connections,
          (ServerSocketChannel) bound.channel(),
          List.of(workers, pages),
          listening.stopWithin().toNanos(),
          hosting.stopping());
    } catch (RuntimeException | Error fault) {
      var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      workers.shutdown();
      pages.shutdown();
      throw fault;
    }
  }

  /**
   * Platform threads, one per core: what they do computes and would hold the carriers of virtual
   * ones. Event loops, which serve small requests, have a higher priority. A connection has at most
   * one request here, so the bound of connections bounds the queue.
   */
  private static ExecutorService workers(String name) {
    int cores = Runtime.getRuntime().availableProcessors();
    var threads = new DefaultThreadFactory(name + "-worker", true);
    ThreadFactory lowerPriority = work -> threads.newThread(() -> runAtLowerPriority(work));
    return pool(cores, new LinkedBlockingQueue<>(), lowerPriority);
  }

  /**
   * One thread for all pages about the server, which take one core at most. Probes have little time
   * and must not wait for large bodies to be parsed.
   *
   * @param waitingMax how many requests may wait; requests of clients that have gone wait, too
   */
  private static ExecutorService pages(String name, int waitingMax) {
    var threads = new DefaultThreadFactory(name + "-page", true);
    return pool(1, new LinkedBlockingQueue<>(waitingMax), threads);
  }

  private static ExecutorService pool(
      int size, BlockingQueue<Runnable> waiting, ThreadFactory threads) {
    var pool = new ThreadPoolExecutor(size, size, 30, TimeUnit.SECONDS, waiting, threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static void runAtLowerPriority(Runnable work) {
    ThreadPriority.stepBack();
    work.run();
  }

  /** Closes a connection that is one too many. */
  private static boolean isCounted(Channel channel, OpenConnections open) {
    InetAddress from =
        channel.remoteAddress() instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (!open.tryOpen(from)) {
      var _ = channel.close();
      return false;
    }
    var _ = channel.closeFuture().addListener(closed -> open.close(from));
    return true;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return listener.localAddress();
  }

  /** Takes no more connections, lets requests in flight end up to the deadline, then closes all. */
  @Override
  public void close() {
    if (stopping.getAndSet(true)) {
      return;
    }
    listener.close().syncUninterruptibly();
    for (Channel connection : connections) {
      connection.pipeline().fireUserEventTriggered(Event.STOPPING);
    }
    connections.newCloseFuture().awaitUninterruptibly(stopNanos, TimeUnit.NANOSECONDS);
    connections.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    threads.forEach(ExecutorService::shutdown);
  }
}
