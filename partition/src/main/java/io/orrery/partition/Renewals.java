package io.orrery.partition;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Renewals of a lease. Those who ask before one has begun share it: a storage whose commits take
 * longer than a lease lasts would have to make one for every read, and writes would wait for all of
 * them.
 */
final class Renewals {
  private final Writer writer;

  /** The one that has not begun; null where there is none. */
  private final AtomicReference<CompletableFuture<Void>> next = new AtomicReference<>();

  Renewals(Writer writer) {
    this.writer = writer;
  }

  /**
   * Has a commit made that begins after this call; blocks.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  void renew() {
    var own = new CompletableFuture<Void>();
    CompletableFuture<Void> waiting = next.compareAndExchange(null, own);
    if (waiting != null) {
      Work.join(waiting);
      return;
    }
    try {
      writer.renewLease(() -> next.set(null));
      own.complete(null);
    } catch (RuntimeException | Error e) {
      next.compareAndSet(own, null);
      own.completeExceptionally(e);
      throw e;
    }
  }
}
