package io.orrery.routing;

import io.orrery.operation.Ticks;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Time that passes only when it is told to: budgets are filled, partitions are split and tokens end
 * while somebody advances it.
 */
public final class VirtualClock implements LongSupplier, InstantSource {
  private static final int NANOS_PER_TICK = 100;

  private volatile Reading reading = new Reading(Ticks.now(), 0);

  /**
   * What a clock shows, so that those of other nodes can show the same.
   *
   * @param startTicks the time of its making
   * @param nanos what it was told to let pass since
   */
  record Reading(long startTicks, long nanos) implements Serializable {}

  Reading reading() {
    return reading;
  }

  @Override
  public long getAsLong() {
    return reading.nanos();
  }

  /** The time of day, moved on by what was told: tokens end early, never late. */
  @Override
  public Instant instant() {
    return Instant.now().plusNanos(reading.nanos());
  }

  synchronized void advance(Duration by) {
    reading = new Reading(reading.startTicks(), reading.nanos() + by.toNanos());
  }

  /** Shows what another clock shows, unless that one is behind. */
  synchronized void follow(Reading other) {
    if (other.nanos() >= reading.nanos()) {
      reading = other;
    }
  }

  /**
   * The time of commits: that of its making and what was told since, so that items live exactly.
   */
  public long ticks() {
    Reading now = reading;
    return now.startTicks() + now.nanos() / NANOS_PER_TICK;
  }

  /** What has passed since it was made. */
  Duration passed() {
    return Duration.ofNanos(reading.nanos());
  }
}
