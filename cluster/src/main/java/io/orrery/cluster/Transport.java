package io.orrery.cluster;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sockets, and how they notice that the other machine is gone: the kernel asks, after seconds of
 * silence, whether the other kernel is still there. A node that is merely paused is: its callers
 * wait.
 */
final class Transport {
  private static final boolean EPOLL = Epoll.isAvailable();
  private static final int SILENCE_SECONDS = 4;
  private static final int PROBE_SECONDS = 2;
  private static final int PROBES = 3;

  /**
   * Longer than requests wait for an answer: a node that reads no more for want of memory
   * acknowledges as little as one that has gone. Membership tells sooner of that.
   */
  private static final int UNACKNOWLEDGED_MILLIS = 40_000;

  /** Less than whoever asks a short question waits, so that it hears of what cannot be reached. */
  private static final int CONNECT_MILLIS = 1_500;

  /** So many frames at most go down in one call to the kernel. */
  private static final int FLUSHES = 64;

  private static final int UNSENT_LOW_BYTES = 1 << 20;
  private static final int UNSENT_HIGH_BYTES = 8 << 20;

  private Transport() {}

  static EventLoopGroup loops(String name) {
    return new MultiThreadIoEventLoopGroup(
        0,
        new DefaultThreadFactory(name, true),
        EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  static Bootstrap caller(EventLoopGroup loops) {
    var bootstrap =
        new Bootstrap()
            .group(loops)
            .channel(EPOLL ? EpollSocketChannel.class : NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    options().forEach((option, value) -> bootstrap.option(option, value));
    return bootstrap;
  }

  static ServerBootstrap answerer(EventLoopGroup loops) {
    var bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true);
    options().forEach((option, value) -> bootstrap.childOption(option, value));
    return bootstrap;
  }

  @SuppressWarnings("unchecked") // each option stands beside a value of its type
  private static Map<ChannelOption<Object>, Object> options() {
    var options = new LinkedHashMap<ChannelOption<?>, Object>();
    options.put(ChannelOption.TCP_NODELAY, true);
    options.put(ChannelOption.SO_KEEPALIVE, true);
    options.put(
        ChannelOption.WRITE_BUFFER_WATER_MARK,
        new WriteBufferWaterMark(UNSENT_LOW_BYTES, UNSENT_HIGH_BYTES));
    if (EPOLL) {
      options.put(EpollChannelOption.TCP_KEEPIDLE, SILENCE_SECONDS);
      options.put(EpollChannelOption.TCP_KEEPINTVL, PROBE_SECONDS);
      options.put(EpollChannelOption.TCP_KEEPCNT, PROBES);
      options.put(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
    }
    return (Map<ChannelOption<Object>, Object>) (Map<?, ?>) options;
  }

  /** From now on the pipeline carries frames to and from {@code talking}. */
  static void talk(ChannelPipeline pipeline, ChannelHandler talking) {
    pipeline.addLast(new FlushConsolidationHandler(FLUSHES, true), talking);
  }

  static void stop(EventLoopGroup loops) {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
