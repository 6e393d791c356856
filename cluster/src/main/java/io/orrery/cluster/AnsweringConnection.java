package io.orrery.cluster;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.PeerReply;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final NodeRoom unsent;
  private final FrameCodec codec;
  private long unansweredBytes;

  /**
   * @param unsent the room for answers that the node has not taken
   * @param codec stands before this in the pipeline
   */
  AnsweringConnection(String peer, NodeServer.Handler handler, NodeRoom unsent, FrameCodec codec) {
    this.peer = peer;
    this.handler = handler;
    this.unsent = unsent;
    this.codec = codec;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, Frame frame) {
    if (frame.kind() != Frame.Kind.REQUEST) {
      frame.drawn().close();
      throw new IllegalStateException("A node answered what nobody asked");
    }
    var exchange = new Exchange(ctx, frame);
    unansweredBytes += exchange.bytes;
    pace(ctx);
    try {
      handler.receive(frame.payload(), exchange);
    } catch (RuntimeException fault) {
      LOG.error("A request of the node {} failed", peer, fault);
      exchange.fail(fault);
    }
  }

  /** One request, answered once. */
  private final class Exchange implements PeerReply {
    private final ChannelHandlerContext ctx;
    private final long id;
    private final long bytes;

    /** Held by the work that it asks for, which goes on when the connection is gone. */
    private final DrawnBytes request;

    private final AtomicBoolean over = new AtomicBoolean();

    Exchange(ChannelHandlerContext ctx, Frame frame) {
      this.ctx = ctx;
      this.id = frame.id();
      this.bytes = Frame.weight(frame.payload().length);
      this.request = frame.drawn();
    }

    @Override
    public void accept(byte[] answer) {
      end(answer);
      unsent.take(Frame.weight(answer.length));
      send(new Frame(Frame.Kind.ANSWER, id, answer));
    }

    @Override
    public boolean tryAccept(byte[] answer) {
      if (!unsent.tryTake(Frame.weight(answer.length))) {
        return false;
      }
      try {
        end(answer);
      } catch (RuntimeException notSent) {
        unsent.giveBack(Frame.weight(answer.length));
        throw notSent;
      }
      send(new Frame(Frame.Kind.ANSWER, id, answer));
      return true;
    }

    private void end(byte[] answer) {
      if (answer.length > Frame.PAYLOAD_BYTES_MAX) {
        throw new IllegalArgumentException("An answer has " + answer.length + " bytes");
      }
      if (over.getAndSet(true)) {
        throw new IllegalStateException("A request was answered twice");
      }
    }

    void fail(RuntimeException fault) {
      if (!over.getAndSet(true)) {
        byte[] cause = String.valueOf(fault.getMessage()).getBytes(StandardCharsets.UTF_8);
        unsent.take(Frame.weight(cause.length));
        send(new Frame(Frame.Kind.FAULT, id, cause));
      }
    }

    private void send(Frame frame) {
      request.close();
      if (ctx.executor().inEventLoop()) {
        sendNow(frame);
        return;
      }
      try {
        ctx.executor().execute(() -> sendNow(frame));
      } catch (RejectedExecutionException stopped) {
        unsent.giveBack(Frame.weight(frame.payload().length));
      }
    }

    private void sendNow(Frame frame) {
      unansweredBytes -= bytes;
      var _ =
          ctx.writeAndFlush(frame)
              .addListener(_ -> unsent.giveBack(Frame.weight(frame.payload().length)))
              .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      pace(ctx);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    pace(ctx);
  }

  private void pace(ChannelHandlerContext ctx) {
    codec.want(ctx, unansweredBytes <= UNANSWERED_BYTES_MAX && ctx.channel().isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.warn("The connection of the node {} is closed: {}", peer, cause.getMessage());
    var _ = ctx.close();
  }
}
