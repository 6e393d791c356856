package io.orrery.http;

import io.netty.channel.ChannelHandler;
import io.orrery.operation.Memory;
import java.util.concurrent.Executor;

/** The handler that begins every connection. */
public final class FuzzedHttp {
  private FuzzedHttp() {}

  /** For plain HTTP. */
  public static ChannelHandler first(Protocol<?> protocol, Memory memory, Executor workers) {
    return new FirstByte(
        new Hosting<>(protocol, Bounds.of(memory), new TlsContext(null), workers, workers));
  }
}
