package io.orrery.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that is measured beside others.
 *
 * @param numbers the next unused number of an item there
 */
record Side(String name, Child child, AtomicLong numbers) {
  Side(String name, Child child) {
    this(name, child, new AtomicLong());
  }

  Target target(boolean tls) {
    return tls ? Target.tls(child.port()) : Target.plain(child.port());
  }
}
