package io.orrery.cluster;

import java.net.ConnectException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells operators of nodes that cannot be talked to: once each, however often it is tried. */
final class Strangers {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);
  private static final int REMEMBERED_MAX = 1_000;

  private final Set<String> told = ConcurrentHashMap.newKeySet();

  void refused(String peer, ConnectException cause) {
    if (told.size() < REMEMBERED_MAX && told.add(peer)) {
      LOG.warn("No connection between nodes: {} {}", peer, cause.getMessage(), cause.getCause());
    } else {
      LOG.debug("No connection between nodes: {} {}", peer, cause.getMessage());
    }
  }

  void known(String peer) {
    if (told.remove(peer)) {
      LOG.info("Connected between nodes: {}", peer);
    }
  }
}
