package io.orrery.routing;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a query may use.
 *
 * @param directory where what does not fit into memory is kept for a while
 * @param memoryBytes what a query gathers before it goes to the directory
 * @param directoryBytes what all queries together keep there; one of them at most half of it
 * @param pageTime when a page is given as far as it has come
 * @param totalTime when a query is refused that must see all items before its first row
 */
public record QuerySettings(
    Path directory, long memoryBytes, long directoryBytes, Duration pageTime, Duration totalTime) {

  public static final QuerySettings DEFAULT =
      new QuerySettings(
          Path.of(System.getProperty("java.io.tmpdir")),
          8L << 20,
          10L << 30,
          Duration.ofSeconds(5),
          Duration.ofSeconds(60));

  /** In another directory, where queries use no more than a quarter of what is free now. */
  public QuerySettings in(Path other) {
    long bytes = Math.min(directoryBytes, SpillSettings.usualBytes(other));
    return new QuerySettings(other, memoryBytes, bytes, pageTime, totalTime);
  }

  /** With another bound for what all queries together keep in the directory. */
  public QuerySettings spilling(long bytes) {
    return new QuerySettings(directory, memoryBytes, bytes, pageTime, totalTime);
  }
}
