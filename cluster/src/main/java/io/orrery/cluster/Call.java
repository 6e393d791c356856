package io.orrery.cluster;

import io.orrery.operation.DrawnBytes;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;

/** A request to another node, and its answer to come, which the receiver closes. */
final class Call extends CompletableFuture<DrawnBytes> {
  /** What a request costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  private final byte[] request;

  Call(byte[] request) {
    this.request = request;
  }

  byte[] request() {
    return request;
  }

  long weight() {
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
