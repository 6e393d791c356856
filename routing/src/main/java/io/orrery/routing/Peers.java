package io.orrery.routing;

import io.orrery.storage.Member;
import java.util.concurrent.CompletableFuture;

/** The way to the other nodes. */
public interface Peers {
  /**
   * Sends a request. Fails with a {@link java.net.ConnectException} when it certainly did not
   * arrive, with another {@link java.io.IOException} when nobody can tell. Does not block.
   */
  CompletableFuture<byte[]> call(Member to, byte[] request);

  /** A node has gone: nobody waits for its answers any longer. */
  void forget(Member gone);
}
