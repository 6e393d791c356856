package io.orrery.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what a connection may take in time, and ends it. One timer per connection looks now and
 * then, so that a request costs no more than writing down when it came.
 */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionClock {
  private static final long NEVER = Long.MAX_VALUE;

  private final ChannelHandlerContext context;
  private final Patience patience;
  private final Runnable outOfTime;
  private final Future<?> ticking;
  private long lastRequestNanos = System.nanoTime();
  private long partialSinceNanos = NEVER;
  private long unwritableSinceNanos = NEVER;
  private long lastReadNanos = lastRequestNanos;
  private long closingSinceNanos = NEVER;
  private long outputClosedNanos = NEVER;
  private boolean completedSinceRead;

  ConnectionClock(ChannelHandlerContext context, Patience patience, Runnable outOfTime) {
    this.context = context;
    this.patience = patience;
    this.outOfTime = outOfTime;
    long tick = patience.tick().toNanos();
    ticking =
        context.executor().scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.NANOSECONDS);
  }

  /**
   * A request is there as a whole.
   *
   * @param now a recent reading of the clock, to spare each request one of its own
   */
  void requestComplete(long now) {
    lastRequestNanos = now;
    partialSinceNanos = NEVER;
    completedSinceRead = true;
  }

  /**
   * Bytes came. When they completed no request they are part of one, be it only of its headers,
   * which the decoder does not show before they are complete.
   */
  void readSome(long now, boolean executing, boolean receiving) {
    lastReadNanos = now;
    boolean partial = receiving || !(executing || completedSinceRead);
    completedSinceRead = false;
    if (partial && partialSinceNanos == NEVER) {
      partialSinceNanos = lastReadNanos;
    }
  }

  void writable(boolean writable) {
    unwritableSinceNanos = writable ? NEVER : System.nanoTime();
  }

  private void look() {
    long now = System.nanoTime();
    if (isClosing()) {
      lookWhileClosing(now);
    } else if (isPast(partialSinceNanos, now, patience.request())) {
      partialSinceNanos = NEVER;
      outOfTime.run();
    } else if (isPast(unwritableSinceNanos, now, patience.reading())
        || isPast(lastRequestNanos, now, patience.idle())) {
      context.close();
    }
  }

  /** A client that still sends is read for as long as a request may take. */
  private void lookWhileClosing(long now) {
    boolean unread = isPast(closingSinceNanos, now, patience.reading());
    boolean silent = isPast(Math.max(outputClosedNanos, lastReadNanos), now, patience.lingering());
    boolean endless = isPast(outputClosedNanos, now, patience.request());
    if (outputClosedNanos == NEVER ? unread : silent || endless) {
      context.close();
    }
  }

  private static boolean isPast(long sinceNanos, long now, Duration limit) {
    return sinceNanos != NEVER && now - sinceNanos > limit.toNanos();
  }

  boolean isClosing() {
    return closingSinceNanos != NEVER;
  }

  /**
   * Ends the connection so that the client can still read the answer: closing at once while it
   * sends would reset the connection and may take the answer away from it. So the server's end is
   * closed first, and what still comes is thrown away for a while.
   */
  void closeGently() {
    if (isClosing()) {
      return;
    }
    closingSinceNanos = System.nanoTime();
    Channel channel = context.channel();
    channel.config().setAutoRead(true);
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener((ChannelFutureListener) written -> closeOutput(channel));
  }

  private void closeOutput(Channel channel) {
    outputClosedNanos = System.nanoTime();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.closeOutbound();
    } else if (channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    } else {
      channel.close();
    }
  }

  void stop() {
    ticking.cancel(false);
  }
}
