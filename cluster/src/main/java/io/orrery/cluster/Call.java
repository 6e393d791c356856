package io.orrery.cluster;

import io.orrery.operation.DrawnBytes;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A request to another node, and its answer to come, which the receiver closes. */
final class Call extends CompletableFuture<DrawnBytes> {
  /** What a request costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  private final byte[] request;
  private final Runnable freed;

  /** The caller waits, and the bytes wait to be sent: at 0 neither does. */
  private final AtomicInteger holds = new AtomicInteger(1);

  /**
   * @param freed is run once nothing holds the bytes of the request any more
   */
  Call(byte[] request, Runnable freed) {
    this.request = request;
    this.freed = freed;
    var _ = whenComplete((_, _) -> free());
  }

  /** The send buffer holds the request, too; false if the caller has given up: do not send it. */
  boolean hold() {
    return holds.getAndUpdate(now -> now == 0 ? 0 : now + 1) > 0;
  }

  void free() {
    if (holds.decrementAndGet() == 0) {
      freed.run();
    }
  }

  byte[] request() {
    return request;
  }

  /** What a request counts until it is answered. */
  static long weight(byte[] request) {
    return OVERHEAD_BYTES + (long) request.length;
  }

  /** Certainly nothing of it was sent. */
  void failUnsent(String peer, ConnectException cause) {
    var unsent = new ConnectException(peer + " " + cause.getMessage());
    unsent.initCause(cause);
    completeExceptionally(unsent);
  }

  /** The other node may have done it or not. */
  void failUnknown(String peer, String reason) {
    completeExceptionally(new IOException(peer + " " + reason));
  }
}
