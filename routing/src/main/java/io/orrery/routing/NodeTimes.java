package io.orrery.routing;

import java.time.Duration;

/**
 * How long the nodes of an account rely on each other and wait for each other.
 *
 * @param lease how long an owner answers reads after a commit of its own
 * @param takeover how long a new owner waits where the former one cannot be asked to stop: a little
 *     more than the lease, as clocks do not run alike
 * @param answer how long a question may take that a healthy node answers at once
 * @param away how long a node may be unreachable before others serve its partitions. Longer than a
 *     session lasts: a node that has died is no member by then, and all agree on the new owner
 */
public record NodeTimes(Duration lease, Duration takeover, Duration answer, Duration away) {
  public static final NodeTimes USUAL =
      new NodeTimes(
          Duration.ofSeconds(2),
          Duration.ofMillis(2_500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10));

  public NodeTimes {
    if (takeover.compareTo(lease) <= 0) {
      throw new IllegalArgumentException("A takeover outlasts the lease: " + takeover);
    }
  }
}
