package io.orrery.routing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time that passes only when it is told to: budgets are filled, and partitions are split, while
 * somebody advances it.
 */
public final class VirtualClock implements LongSupplier {
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  /** What has passed since it was made. */
  Duration passed() {
    return Duration.ofNanos(nanos.get());
  }
}
