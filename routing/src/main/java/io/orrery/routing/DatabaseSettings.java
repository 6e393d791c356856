package io.orrery.routing;

import io.orrery.operation.Limits;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What an operator decides about a database.
 *
 * @param historyRetention how long the log of changes is kept where a container does not say it
 * @param throttled whether requests beyond a range's share are refused, or only counted
 * @param nanos the time that budgets are filled by
 */
public record DatabaseSettings(
    Limits limits,
    Duration historyRetention,
    QuerySettings queries,
    boolean throttled,
    LongSupplier nanos) {
  private static final Duration HISTORY_RETENTION = Duration.ofHours(1);

  /** The usual: nothing is refused for its price. */
  public static DatabaseSettings of(Limits limits) {
    return new DatabaseSettings(
        limits, HISTORY_RETENTION, QuerySettings.DEFAULT, false, System::nanoTime);
  }

  public DatabaseSettings with(QuerySettings other) {
    return new DatabaseSettings(limits, historyRetention, other, throttled, nanos);
  }

  /** The same, with every range held to its share of the throughput. */
  public DatabaseSettings withThrottling() {
    return new DatabaseSettings(limits, historyRetention, queries, true, nanos);
  }

  public DatabaseSettings withClock(LongSupplier supplied) {
    return new DatabaseSettings(limits, historyRetention, queries, throttled, supplied);
  }
}
