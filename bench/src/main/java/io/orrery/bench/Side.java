package io.orrery.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that is measured beside others.
 *
 * @param numbers the next unused number of an item there
 */
record Side(String name, Child child, int port, AtomicLong numbers) {
  Side(String name, Child child) {
    this(name, child, child.port(), new AtomicLong());
  }

  /** A server by another of its ports. */
  Side(String name, Child child, int port) {
    this(name, child, port, new AtomicLong());
  }

  Target target(boolean tls) {
    return tls ? Target.tls(port) : Target.plain(port);
  }
}
