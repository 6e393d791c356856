package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One client with one request outstanding: the next goes out when the answer is whole. */
// Writing is not waited for: a failure ends the connection, which is told.
@SuppressWarnings("FutureReturnValueIgnored")
final class LoadConnection extends ChannelInboundHandlerAdapter {
  private static final int REQUEST_BYTES = 2_048;
  private static final int SHOWN_BYTES_MAX = 2_000;

  private final AnswerScanner scanner = new AnswerScanner();
  private final Channel channel;
  private @Nullable ByteBuf held;
  private @Nullable Run run;
  private @Nullable Histogram latencies;
  private long sentNanos;
  private boolean fresh;

  LoadConnection(Channel channel) {
    this.channel = channel;
  }

  void begin(Run begun) {
    channel
        .eventLoop()
        .execute(
            () -> {
              run = begun;
              fresh = begun.wantsAllClients();
              latencies = begun.latencies(channel.eventLoop());
              if (channel.isActive()) {
                send(begun, System.nanoTime());
              } else {
                begun.fail(new BenchFault("A connection was closed between two rounds"));
              }
            });
  }

  private void send(Run current, long nowNanos) {
    long due = current.dueNanos(nowNanos);
    long early = due - nowNanos;
    if (early > 0 && !current.isOver(due)) {
      channel.eventLoop().schedule(() -> sendNow(current, due), early, TimeUnit.NANOSECONDS);
    } else {
      sendNow(current, due);
    }
  }

  /** Its time runs from when it was due: a client that is held up hides nothing. */
  private void sendNow(Run current, long dueNanos) {
    ByteBuf out = channel.alloc().directBuffer(REQUEST_BYTES);
    boolean over = current.isOver(dueNanos) && !fresh;
    fresh = false;
    if (over || !current.requests().next(out)) {
      out.release();
      run = null;
      current.connectionDone();
      return;
    }
    sentNanos = dueNanos;
    channel.writeAndFlush(out, channel.voidPromise());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    ByteBuf before = held;
    if (before != null) {
      before.writeBytes(in);
      in.release();
      in = before;
      held = null;
    }
    int answerBytes = scanner.answerBytes(in);
    if (answerBytes < 0) {
      held = before != null ? before : context.alloc().buffer(16 << 10).writeBytes(in);
      if (before == null) {
        in.release();
      }
      return;
    }
    answered(in, answerBytes);
    in.release();
  }

  private void answered(ByteBuf in, int answerBytes) {
    Run current = run;
    if (current == null || latencies == null) {
      return;
    }
    long now = System.nanoTime();
    int status = AnswerScanner.status(in);
    if (in.readableBytes() == answerBytes && current.isRefused(status, now)) {
      send(current, now);
      return;
    }
    if (status != current.wantedStatus() || in.readableBytes() != answerBytes) {
      int shown = Math.min(in.readableBytes(), SHOWN_BYTES_MAX);
      current.fail(
          new BenchFault(
              "The server did not answer with "
                  + current.wantedStatus()
                  + " but:\n"
                  + in.toString(in.readerIndex(), shown, StandardCharsets.UTF_8)));
      return;
    }
    if (current.counts(now)) {
      latencies.recordValue(now - sentNanos);
    }
    send(current, now);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (held != null) {
      held.release();
      held = null;
    }
    if (run != null) {
      run.fail(new BenchFault("The server closed a connection"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (run != null) {
      run.fail(cause);
    }
    context.close();
  }
}
