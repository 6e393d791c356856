package io.orrery.query.function;

import java.time.Instant;
import java.time.InstantSource;

/** The time a query sees: running, and the one moment fixed for the whole statement. */
public record QueryClock(InstantSource running, Instant statement) {
  public static QueryClock of(InstantSource source) {
    return new QueryClock(source, source.instant());
  }
}
