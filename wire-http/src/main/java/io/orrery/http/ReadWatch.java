package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/**
 * Begins to measure a read before its bytes are decrypted and parsed, which may take longer than
 * what is done with them. The connection, last in the pipeline, ends the measurement. Handshakes
 * are not measured: the first one loads classes, and all of them compute the same.
 */
final class ReadWatch extends ChannelInboundHandlerAdapter {
  private final ConnectionWatch watch;
  private final @Nullable SslHandler tls;

  /**
   * @param tls null for plain HTTP
   */
  ReadWatch(ConnectionWatch watch, @Nullable SslHandler tls) {
    this.watch = watch;
    this.tls = tls;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (tls == null || tls.handshakeFuture().isSuccess()) {
      watch.beginRead();
    }
    context.fireChannelRead(message);
  }
}
