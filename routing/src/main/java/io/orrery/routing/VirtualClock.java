package io.orrery.routing;

import io.orrery.operation.Ticks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time that passes only when it is told to: budgets are filled, partitions are split and tokens end
 * while somebody advances it.
 */
public final class VirtualClock implements LongSupplier, InstantSource {
  private static final int NANOS_PER_TICK = 100;

  private final long startTicks = Ticks.now();
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  /** The time of day, moved on by what was told: tokens end early, never late. */
  @Override
  public Instant instant() {
    return Instant.now().plusNanos(nanos.get());
  }

  void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  /**
   * The time of commits: that of its making and what was told since, so that items live exactly.
   */
  long ticks() {
    return startTicks + nanos.get() / NANOS_PER_TICK;
  }

  /** What has passed since it was made. */
  Duration passed() {
    return Duration.ofNanos(nanos.get());
  }
}
