package io.orrery.cluster;

import java.net.ConnectException;

/** More waits for the node's answers than may; nothing was sent. */
public final class PeerOverloaded extends ConnectException {
  private static final long serialVersionUID = 1;

  PeerOverloaded(String peer) {
    super(peer + " has more requests to answer than may wait for it");
  }
}
