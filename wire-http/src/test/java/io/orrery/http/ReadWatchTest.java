package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A read is watched from its first byte on, and not only from the first message made of it. */
class ReadWatchTest {
  private static final long SLOW_NANOS = LoopWatch.LIMIT_NANOS + 10_000_000;

  /** Takes long over bytes, as a decoder could. */
  private static final class Slow extends ChannelInboundHandlerAdapter {
    private long nanos;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      long end = ProcessorTime.nanos() + nanos;
      while (ProcessorTime.nanos() < end) {
        Thread.onSpinWait();
      }
      context.fireChannelRead(message);
    }
  }

  @Test
  void aHeadThatIsDecodedForLongIsCounted() throws Exception {
    while (Vitals.isWarmingUp()) {
      Thread.sleep(100);
    }
    var first =
        new FirstByte(
            new Hosting<>(
                new SilentProtocol(ReadWatchTest::unasked),
                bounds(),
                tls(),
                Runnable::run,
                Runnable::run));
    var channel = new EmbeddedChannel(first);
    var slow = new Slow();
    receive(channel, "G");
    var decoder = channel.pipeline().context(RequestDecoder.class);
    assertNotNull(decoder);
    channel.pipeline().addBefore(decoder.name(), "slow", slow);
    long before = Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    receive(channel, "ET / HT");
    assertEquals(before, Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK));
    slow.nanos = SLOW_NANOS;
    VitalsCheck.provoked(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
    receive(channel, "TP/1.1\r\nHost: a");
    assertEquals(before + 1, Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK));
    slow.nanos = 0;
    receive(channel, "bc");
    assertEquals(before + 1, Vitals.occurrences(Vitals.Symptom.SLOW_EVENT_LOOP_TASK));
    channel.finishAndReleaseAll();
  }

  private static void receive(EmbeddedChannel channel, String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
  }

  private static Bounds bounds() {
    return Bounds.of(Memory.ofHeap(256 << 20));
  }

  private static TlsContext tls() {
    return new TlsContext(null);
  }

  @SuppressWarnings("unchecked") // of the one kind that there is
  private static Conversation<String> unasked() {
    return (Conversation<String>)
        Proxy.newProxyInstance(
            Conversation.class.getClassLoader(),
            new Class<?>[] {Conversation.class},
            (_, method, _) -> {
              throw new IllegalStateException(method.getName());
            });
  }
}
