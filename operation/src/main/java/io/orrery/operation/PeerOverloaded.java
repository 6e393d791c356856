package io.orrery.operation;

import java.net.ConnectException;

/** So many requests wait for another node already that nothing was sent; it may well be there. */
public final class PeerOverloaded extends ConnectException {
  private static final long serialVersionUID = 1;

  public PeerOverloaded(String peer) {
    super("Too many requests wait for node " + peer);
  }
}
