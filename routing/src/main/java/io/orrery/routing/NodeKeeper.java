package io.orrery.routing;

import io.orrery.operation.Vitals;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows who comes and goes: takes up and gives up what this node serves. */
final class NodeKeeper implements AutoCloseable {
  private static final long REST_SECONDS = 1;
  private static final Logger LOG = LoggerFactory.getLogger(NodeKeeper.class);

  private final Membership membership;
  private final Together nodes;
  private final Conversation others;
  private final Partitions partitions;
  private final Semaphore calls = new Semaphore(1);
  private final Thread keeper = Thread.ofVirtual().name("nodes").unstarted(this::keep);
  private Set<Member> known = Set.of();
  private long number;
  private volatile boolean closed;

  NodeKeeper(Membership membership, Together nodes, Conversation others, Partitions partitions) {
    this.membership = membership;
    this.nodes = nodes;
    this.others = others;
    this.partitions = partitions;
  }

  void start() {
    membership.onChange(calls::release);
    keeper.start();
  }

  private void keep() {
    while (!closed) {
      try {
        // Also without a call: what could not be done at once is tried again.
        var _ = calls.tryAcquire(REST_SECONDS, TimeUnit.SECONDS);
        calls.drainPermits();
        follow();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        Vitals.countIfError(e);
        LOG.warn("The change of nodes could not be followed; tried again soon", e);
      }
    }
  }

  private void follow() {
    Set<Member> now = new HashSet<>(membership.members());
    known.stream().filter(member -> !now.contains(member)).forEach(others::forget);
    boolean changed = !now.equals(known);
    known = now;
    if (number != membership.self().number()) {
      number = membership.self().number();
      partitions.releaseAll();
    }
    boolean reached = nodes.reachAgain();
    if (nodes.settle() && (nodes.hearOfCatalog() || changed || reached)) {
      partitions.follow();
    }
  }

  @Override
  public void close() {
    closed = true;
    keeper.interrupt();
    try {
      keeper.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
