package io.orrery.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Netty, a signature check and RocksDB: what any server of this protocol costs at least. */
final class BareServer {
  private static final int BACKLOG = 1_024;
  private static final int LINE_BYTES_MAX = 16 << 10;
  private static final int HEADERS_BYTES_MAX = 64 << 10;

  private BareServer() {}

  /** Listens on any free port until the channel is closed. */
  static ServerSocketChannel start(BareBackend backend, @Nullable SslContext tls)
      throws InterruptedException {
    boolean epoll = Epoll.isAvailable();
    var loops =
        new MultiThreadIoEventLoopGroup(
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (tls != null) {
                      channel.pipeline().addLast(new OptionalSslHandler(tls));
                    }
                    channel.pipeline().addLast(decoder(), new BareConnection(backend));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    listener
        .closeFuture()
        .addListener(
            closed -> {
              var _ = loops.shutdownGracefully();
            });
    return (ServerSocketChannel) listener;
  }

  private static HttpRequestDecoder decoder() {
    return new HttpRequestDecoder(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(HEADERS_BYTES_MAX));
  }

  /** With the provider and the protocols of the real server. */
  static SslContext tls(Path certificate, Path key) {
    try {
      return SslContextBuilder.forServer(certificate.toFile(), key.toFile())
          .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .build();
    } catch (SSLException e) {
      throw new BenchFault("The certificate cannot be used: " + certificate, e);
    }
  }
}
