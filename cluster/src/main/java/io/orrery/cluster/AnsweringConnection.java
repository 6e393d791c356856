package io.orrery.cluster;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one node. It takes no more of them while too much waits to be answered or to be
 * sent.
 */
final class AnsweringConnection extends SimpleChannelInboundHandler<Frame> {
  private static final Logger LOG = LoggerFactory.getLogger(AnsweringConnection.class);
  private static final long UNANSWERED_BYTES_MAX = 64 << 20;

  private final String peer;
  private final NodeServer.Handler handler;
  private long unansweredBytes;

  AnsweringConnection(String peer, NodeServer.Handler handler) {
    this.peer = peer;
    this.handler = handler;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, Frame frame) {
    if (frame.kind() != Frame.Kind.REQUEST) {
      throw new IllegalStateException("A node answered what nobody asked");
    }
    unansweredBytes += frame.payload().length;
    pace(ctx);
    var exchange = new Exchange(ctx, frame.id(), frame.payload().length);
    try {
      handler.receive(frame.payload(), exchange);
    } catch (RuntimeException fault) {
      LOG.error("A request of the node {} failed", peer, fault);
      exchange.fail(fault);
    }
  }

  /** One request, answered once. */
  private final class Exchange implements Consumer<byte[]> {
    private final ChannelHandlerContext ctx;
    private final long id;
    private final int bytes;
    private final AtomicBoolean over = new AtomicBoolean();

    Exchange(ChannelHandlerContext ctx, long id, int bytes) {
      this.ctx = ctx;
      this.id = id;
      this.bytes = bytes;
    }

    @Override
    public void accept(byte[] answer) {
      if (answer.length > Frame.PAYLOAD_BYTES_MAX) {
        throw new IllegalArgumentException("An answer has " + answer.length + " bytes");
      }
      if (over.getAndSet(true)) {
        throw new IllegalStateException("A request was answered twice");
      }
      send(new Frame(Frame.Kind.ANSWER, id, answer));
    }

    void fail(RuntimeException fault) {
      if (!over.getAndSet(true)) {
        byte[] cause = String.valueOf(fault.getMessage()).getBytes(StandardCharsets.UTF_8);
        send(new Frame(Frame.Kind.FAULT, id, cause));
      }
    }

    private void send(Frame frame) {
      if (ctx.executor().inEventLoop()) {
        sendNow(frame);
      } else {
        ctx.executor().execute(() -> sendNow(frame));
      }
    }

    private void sendNow(Frame frame) {
      unansweredBytes -= bytes;
      var _ = ctx.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      pace(ctx);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    pace(ctx);
  }

  private void pace(ChannelHandlerContext ctx) {
    ctx.channel()
        .config()
        .setAutoRead(unansweredBytes <= UNANSWERED_BYTES_MAX && ctx.channel().isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.warn("The connection of the node {} is closed: {}", peer, cause.getMessage());
    var _ = ctx.close();
  }
}
