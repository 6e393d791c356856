package io.orrery.http;

import io.netty.handler.ssl.SslContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The TLS context, made off the event loops when the first client wants it: it takes a while. */
final class TlsContext {
  private final @Nullable Supplier<SslContext> source;
  private @Nullable CompletableFuture<@Nullable SslContext> making;
  private volatile boolean ready;

  TlsContext(@Nullable Supplier<SslContext> source) {
    this.source = source;
  }

  /** The present context once the first has been made: then its source is quick, and renews it. */
  @Nullable SslContext ifReady() {
    return ready && source != null ? source.get() : null;
  }

  /**
   * Gives the context; null when TLS is off. A failure is told once, the next client tries again.
   */
  synchronized CompletableFuture<@Nullable SslContext> make() {
    Supplier<SslContext> maker = source;
    if (maker == null) {
      return CompletableFuture.completedFuture(null);
    }
    if (making == null || making.isCompletedExceptionally()) {
      var begun = new CompletableFuture<@Nullable SslContext>();
      Thread.ofVirtual().name("tls-context").start(() -> fill(begun, maker));
      making = begun;
    }
    return making;
  }

  private void fill(CompletableFuture<@Nullable SslContext> begun, Supplier<SslContext> maker) {
    try {
      SslContext made = maker.get();
      ready = true;
      begun.complete(made);
    } catch (RuntimeException | Error fault) {
      begun.completeExceptionally(fault);
    }
  }
}
