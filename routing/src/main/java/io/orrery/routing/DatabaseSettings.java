package io.orrery.routing;

import io.orrery.operation.Limits;
import java.time.Duration;

/**
 * What an operator decides about a database.
 *
 * @param historyRetention how long the log of changes is kept where a container does not say it
 */
public record DatabaseSettings(Limits limits, Duration historyRetention, QuerySettings queries) {
  private static final Duration HISTORY_RETENTION = Duration.ofHours(1);

  public static DatabaseSettings of(Limits limits) {
    return new DatabaseSettings(limits, HISTORY_RETENTION, QuerySettings.DEFAULT);
  }

  public DatabaseSettings with(QuerySettings other) {
    return new DatabaseSettings(limits, historyRetention, other);
  }
}
