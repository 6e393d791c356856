package io.orrery.compat;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** One client's way to the data, over any of the nodes that serve it. Owned by its thread. */
final class Way {
  /** So that clients of nodes that are all down do not fill the history with nothing else. */
  private static final long BREATH_NANOS = 20_000_000;

  private final List<Rest> nodes;
  private final boolean wanders;
  private final Failures failures;
  private int at;

  private Way(List<Rest> nodes, int first, boolean wanders, Failures failures) {
    this.nodes = List.copyOf(nodes);
    this.at = first % nodes.size();
    this.wanders = wanders;
    this.failures = failures;
  }

  /** Over the only node there is. */
  static Way to(Rest node) {
    return new Way(List.of(node), 0, false, new Failures());
  }

  /**
   * One of several clients: every other one stays with a node until that fails, those between ask
   * another one each time and show it what the one before has told them.
   *
   * @param failures counts what nodes did not answer
   */
  static Way of(List<Rest> nodes, int client, Failures failures) {
    return new Way(nodes, client / 2, client % 2 == 1, failures);
  }

  /** Whom to ask next. */
  Rest node() {
    if (wanders) {
      at = (at + 1) % nodes.size();
    }
    return nodes.get(at);
  }

  /** The node did not answer, or not now: the next one is asked, after a breath. */
  void moveOn() {
    at = (at + 1) % nodes.size();
    if (!isOnly()) {
      LockSupport.parkNanos(BREATH_NANOS);
    }
  }

  /** What a node did not answer, or not now. */
  Failures failures() {
    return failures;
  }

  /** Whether there is no other node that should do what one cannot. */
  boolean isOnly() {
    return nodes.size() == 1;
  }

  /**
   * Whether the client shows its session token: a read without one must see the latest all the
   * more.
   */
  boolean showsSession() {
    return isOnly() || wanders;
  }
}
