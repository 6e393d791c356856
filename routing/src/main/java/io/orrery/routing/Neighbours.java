package io.orrery.routing;

import io.orrery.routing.catalog.Catalog;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

/** The other nodes of an account: who they are, and the way to them. */
public record Neighbours(Membership membership, Peers peers, NodeTimes times) {

  /** With the usual times. */
  public Neighbours(Membership membership, Peers peers) {
    this(membership, peers, NodeTimes.USUAL);
  }

  /** What all nodes of a storage know and nobody else does; made where there is none yet. */
  public static byte[] secretOf(Storage storage) {
    try {
      // Not the catalog's own: what signs the tokens of clients signs nothing else.
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("nodes".getBytes(StandardCharsets.US_ASCII));
      return digest.digest(Catalog.join(storage).secrets().current().array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
