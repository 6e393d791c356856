package io.orrery.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that is measured beside others.
 *
 * @param others more processes of it, over which clients are spread as over the first
 * @param numbers the next unused number of an item there
 */
record Side(String name, Child child, int port, List<Child> others, AtomicLong numbers) {
  Side(String name, Child child) {
    this(name, child, child.port());
  }

  /** A server by another of its ports. */
  Side(String name, Child child, int port) {
    this(name, child, port, List.of(), new AtomicLong());
  }

  /** A server of several processes. */
  Side(String name, List<Child> nodes) {
    this(
        name,
        nodes.getFirst(),
        nodes.getFirst().port(),
        nodes.subList(1, nodes.size()),
        new AtomicLong());
  }

  Target target(boolean tls) {
    var ports = new ArrayList<>(List.of(port));
    others.forEach(other -> ports.add(other.port()));
    return tls ? Target.tls(ports) : Target.plain(ports);
  }

  /** The processor time that all its processes have used. */
  Duration cpu() {
    return others.stream().map(Child::cpu).reduce(child.cpu(), Duration::plus);
  }

  void stop() throws InterruptedException {
    child.stop();
    for (Child other : others) {
      other.stop();
    }
  }
}
