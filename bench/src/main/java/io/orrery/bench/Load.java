package io.orrery.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Clients of one server, connected for as long as it is measured. */
final class Load implements AutoCloseable {
  private static final int ANSWER_BYTES = 8 << 10;

  private final EventLoopGroup loops;
  private final List<Channel> channels = new ArrayList<>();
  private final Queue<LoadConnection> connections = new ConcurrentLinkedQueue<>();

  private Load(EventLoopGroup loops) {
    this.loops = loops;
  }

  /** What came of a stretch of load; latencies in nanoseconds. */
  record Result(long answers, double seconds, Histogram latencies) {
    double perSecond() {
      return answers / seconds;
    }
  }

  static Load connect(Target target, int connections, int threads) throws InterruptedException {
    return connect(target, connections, threads, ANSWER_BYTES);
  }

  /**
   * Connects the clients.
   *
   * @param answerBytes what is read at once, best as much as an answer has
   */
  static Load connect(Target target, int connections, int threads, int answerBytes)
      throws InterruptedException {
    boolean epoll = Epoll.isAvailable();
    var load =
        new Load(
            new MultiThreadIoEventLoopGroup(
                threads, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()));
    var bootstrap =
        new Bootstrap()
            .group(load.loops)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(answerBytes))
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (target.tls() != null) {
                      channel.pipeline().addLast(target.tls().newHandler(channel.alloc()));
                    }
                    var connection = new LoadConnection(channel);
                    load.connections.add(connection);
                    channel.pipeline().addLast(connection);
                  }
                });
    try {
      for (int i = 0; i < connections; i++) {
        Channel channel = bootstrap.connect(target.address(i)).sync().channel();
        load.channels.add(channel);
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
          tls.handshakeFuture().sync();
        }
      }
      return load;
    } catch (InterruptedException | RuntimeException | Error fault) {
      load.close();
      throw fault;
    }
  }

  /** Sends until the time is over or there are no more requests, and waits for the last answer. */
  Result run(Requests requests, int wantedStatus, double seconds) throws InterruptedException {
    long start = System.nanoTime();
    Histogram latencies = begin(requests, wantedStatus, seconds).await();
    double elapsed = (System.nanoTime() - start) / 1e9;
    return new Result(latencies.getTotalCount(), elapsed, latencies);
  }

  /** Begins to send as fast as answers come; the run tells of its end. */
  Run begin(Requests requests, int wantedStatus, double seconds) {
    long nanos = (long) (seconds * 1e9);
    var run = new Run(requests, wantedStatus, System.nanoTime(), nanos, connections.size());
    connections.forEach(connection -> connection.begin(run));
    return run;
  }

  /** Begins to send at a pace; the run tells of its end. */
  Run begin(Requests requests, int wantedStatus, Pace pace) {
    var run = new Run(requests, wantedStatus, System.nanoTime(), pace, connections.size());
    connections.forEach(connection -> connection.begin(run));
    return run;
  }

  /** Whether no connection was ended by the server. */
  boolean isConnected() {
    return channels.stream().allMatch(Channel::isActive);
  }

  /** The protocol and cipher in use. */
  String security() {
    SslHandler tls = channels.getFirst().pipeline().get(SslHandler.class);
    if (tls == null) {
      return "plain";
    }
    var session = tls.engine().getSession();
    return session.getProtocol() + " " + session.getCipherSuite();
  }

  @Override
  public void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
