package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.operation.Answer;
import io.orrery.operation.Memory;
import io.orrery.operation.Outcome;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A worker that cannot be started keeps no memory of the body that it was to decide on. */
class WorkerStartTest {

  @Test
  void theMemoryOfTheBodyComesBackWhereNoThreadCanBeStarted() {
    Memory memory = Memory.ofHeap(256 << 20);
    Executor full =
        work -> {
          VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
          throw new OutOfMemoryError("unable to create native thread, on cue");
        };
    var hosting =
        new Hosting<>(
            new SilentProtocol(Nothing::new), Bounds.of(memory), new TlsContext(null), full, full);
    var connection = new HttpConnection<>(hosting, false);
    var channel =
        new EmbeddedChannel(
            new RequestDecoder(connection::takesMore, hosting.bounds().memory().heads()),
            connection);
    String request = "POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\n" + "x".repeat(20_000);
    channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_IN), "bytes of a connection that is closed");
  }

  private static final class Nothing implements Conversation<String> {
    @Override
    public @Nullable String admit(Incoming<String> incoming) {
      return null;
    }

    @Override
    public Decision<String> decide(ChannelHandlerContext context, Incoming<String> incoming) {
      return new Told<>(200);
    }

    @Override
    public Decision<String> answered(
        ChannelHandlerContext context, Exchange exchange, Answer answer) {
      return new Told<>(200);
    }

    @Override
    public boolean shorten(Outcome outcome) {
      return false;
    }

    @Override
    public void unheard(Exchange exchange, Answer answer) {}

    @Override
    public void end() {}

    @Override
    public int refuse(ChannelHandlerContext context, Exchange exchange, String error) {
      return 500;
    }

    @Override
    public String broken(BrokenRequest broken) {
      return "broken";
    }

    @Override
    public String fault() {
      return "fault";
    }
  }
}
