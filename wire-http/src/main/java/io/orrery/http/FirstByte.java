package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for a connection's first byte, which tells TLS from plain HTTP, and sets up the rest. */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class FirstByte extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FirstByte.class);
  private static final int TLS_HANDSHAKE = 0x16;

  private static final ByteBuf TLS_ONLY = tlsOnly();

  private final Hosting<?> hosting;
  private @Nullable ByteBuf first;
  private @Nullable Future<?> timeout;

  FirstByte(Hosting<?> hosting) {
    this.hosting = hosting;
  }

  private static ByteBuf tlsOnly() {
    String text = "This server takes TLS only (--plain-http off): use https.\n";
    String head = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n";
    String length = "Content-Length: " + text.length() + "\r\n\r\n";
    return Unpooled.unreleasableBuffer(
        Unpooled.copiedBuffer(head + length + text, StandardCharsets.US_ASCII).asReadOnly());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    long nanos = hosting.protocol().patience().opening().toNanos();
    timeout = context.executor().schedule(() -> context.close(), nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable() || first != null) {
      ReferenceCountUtil.release(message);
      return;
    }
    first = bytes;
    stopWaiting();
    if (bytes.getUnsignedByte(bytes.readerIndex()) != TLS_HANDSHAKE) {
      goOnInPlain(context);
      return;
    }
    SslContext ready = hosting.tls().ifReady();
    if (ready != null) {
      goOn(context, ready);
      return;
    }
    context.channel().config().setAutoRead(false);
    hosting
        .tls()
        .make()
        .whenComplete(
            (made, fault) -> context.executor().execute(() -> tlsReady(context, made, fault)));
  }

  private void goOnInPlain(ChannelHandlerContext context) {
    if (hosting.bounds().plainHttp()) {
      goOn(context, null);
    } else {
      context.writeAndFlush(TLS_ONLY.duplicate()).addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void tlsReady(
      ChannelHandlerContext context, @Nullable SslContext made, @Nullable Throwable fault) {
    if (fault != null) {
      LOG.error("TLS cannot be served", fault);
    }
    if (made == null || context.isRemoved()) {
      context.close();
      return;
    }
    goOn(context, made);
    context.pipeline().fireChannelReadComplete();
    context.channel().config().setAutoRead(true);
  }

  private void goOn(ChannelHandlerContext context, @Nullable SslContext secure) {
    ChannelPipeline pipeline = context.pipeline();
    var connection = new HttpConnection<>(hosting, secure != null);
    SslHandler handler = secure == null ? null : secure.newHandler(context.alloc());
    pipeline.addLast(new ReadWatch(connection.watch, handler));
    if (handler != null) {
      handler.setHandshakeTimeoutMillis(hosting.protocol().patience().opening().toMillis());
      pipeline.addLast(handler);
    }
    pipeline.addLast(new RequestDecoder(connection::takesMore, hosting.bounds().memory().heads()));
    pipeline.addLast(connection);
    ByteBuf bytes = first;
    first = null;
    if (bytes != null) {
      context.fireChannelRead(bytes);
    }
    pipeline.remove(this);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == HttpServer.Event.STOPPING) {
      context.close();
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ReferenceCountUtil.release(first);
    first = null;
    stopWaiting();
  }

  private void stopWaiting() {
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("A connection broke before its first request", cause);
    context.close();
  }
}
