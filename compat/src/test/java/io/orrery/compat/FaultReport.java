package io.orrery.compat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What clients saw of a fault.
 *
 * @param server that was harmed
 * @param done requests of all clients that were answered as they should
 * @param refused those that were told that nothing was done
 * @param failed those that were told nothing, or that it is not known
 * @param early those of them that should have waited, told by their kind
 * @param gaps the longest time without service of each partition
 * @param longestWait of one request
 * @param split how the splits went that ran meanwhile
 * @param late commits of the harmed node that were refused after it went on
 * @param staleReads past the nodes that the checker found, of how many
 */
record FaultReport(
    ClusterFault fault,
    String server,
    long done,
    long refused,
    Failures failed,
    List<String> early,
    List<Duration> gaps,
    Duration longestWait,
    String split,
    String late,
    String staleReads) {
  private static final Duration NOTABLE = Duration.ofSeconds(1);

  static String title() {
    return String.format(
        Locale.ROOT,
        "%-14s %-10s %7s %8s %7s %10s %10s %8s  %-5s %-6s %s",
        "fault",
        "server",
        "done",
        "refused",
        "failed",
        "worst gap",
        "over 1 s",
        "wait",
        "late",
        "stale",
        "failed with; splits; too early");
  }

  String line() {
    long notable = gaps.stream().filter(gap -> gap.compareTo(NOTABLE) > 0).count();
    Duration worst = gaps.stream().max(Duration::compareTo).orElse(Duration.ZERO);
    return String.format(
        Locale.ROOT,
        "%-14s %-10s %7d %8d %7d %10s %10s %8s  %-5s %-6s %s; %s%s",
        fault,
        server,
        done,
        refused,
        failed.count(),
        seconds(worst),
        notable + " of " + gaps.size(),
        seconds(longestWait),
        late,
        staleReads,
        failed,
        split,
        early.isEmpty() ? "" : "; too early: " + String.join("; ", early));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
  }
}
