package io.orrery.cluster;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls on their way to one node and back. Owned by the loop of its channel. */
final class CallingConnection extends SimpleChannelInboundHandler<Frame> {
  private static final Logger LOG = LoggerFactory.getLogger(CallingConnection.class);

  private final String peer;
  private final Channel channel;
  private final Map<Long, Call> unanswered = new HashMap<>();
  private long lastId;

  CallingConnection(String peer, Channel channel) {
    this.peer = peer;
    this.channel = channel;
  }

  boolean isOpen() {
    return channel.isActive();
  }

  void send(Call call) {
    if (!call.hold()) {
      return;
    }
    long id = ++lastId;
    unanswered.put(id, call);
    // Who gives up need not be remembered; the answer is dropped when it comes.
    var _ = call.whenComplete((_, _) -> forget(id));
    var _ =
        channel
            .writeAndFlush(new Frame(Frame.Kind.REQUEST, id, call.request()))
            .addListener(_ -> call.free())
            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private void forget(long id) {
    if (channel.eventLoop().inEventLoop()) {
      unanswered.remove(id);
    } else {
      channel.eventLoop().execute(() -> unanswered.remove(id));
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, Frame frame) {
    @Nullable Call call = unanswered.remove(frame.id());
    boolean taken = false;
    try {
      taken = call != null && take(call, frame);
    } finally {
      if (!taken) {
        frame.drawn().close();
      }
    }
  }

  /** True if the caller owns the payload from now on, and closes it. */
  private boolean take(Call call, Frame frame) {
    return switch (frame.kind()) {
      case ANSWER -> call.complete(frame.drawn());
      case FAULT -> {
        String why = new String(frame.payload(), StandardCharsets.UTF_8);
        call.completeExceptionally(new IOException(peer + " failed: " + why));
        yield false;
      }
      case REQUEST -> throw new IllegalStateException("A node asked who only answers");
    };
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail("closed the connection before it answered");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.warn("The connection to the node {} is closed: {}", peer, cause.getMessage());
    close("broke the connection before it answered: " + cause.getMessage());
  }

  void close(String reason) {
    fail(reason);
    var _ = channel.close();
  }

  private void fail(String reason) {
    List<Call> lost = List.copyOf(unanswered.values());
    unanswered.clear();
    lost.forEach(call -> call.failUnknown(peer, reason));
  }
}
