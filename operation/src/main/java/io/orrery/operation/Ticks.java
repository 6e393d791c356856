package io.orrery.operation;

import java.time.Instant;

/** Time in steps of 100 ns since 1970, the unit of every commit time. */
public final class Ticks {
  public static final long PER_SECOND = 10_000_000;

  private Ticks() {}

  public static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * PER_SECOND + now.getNano() / 100;
  }
}
