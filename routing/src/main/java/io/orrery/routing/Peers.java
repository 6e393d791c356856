package io.orrery.routing;

import io.orrery.operation.DrawnBytes;
import io.orrery.storage.Member;
import java.util.concurrent.CompletableFuture;

/** The way to the other nodes. */
public interface Peers {
  /**
   * Sends a request. Fails with a {@link java.net.ConnectException} when it certainly did not
   * arrive, with another {@link java.io.IOException} when nobody can tell. Does not block. The
   * answer has to be closed, also by who gave up and gets it all the same.
   */
  CompletableFuture<DrawnBytes> call(Member to, byte[] request);

  /** A node has gone: nobody waits for its answers any longer. */
  void forget(Member gone);
}
