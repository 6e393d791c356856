package io.orrery.model;

import java.util.concurrent.atomic.AtomicLong;

/** The time of a run, which moves only when the run says so. */
final class Clock {
  static final long TICKS_PER_SECOND = 10_000_000;

  private static final long START_SECONDS = 1_700_000_000;
  private final AtomicLong ticks = new AtomicLong(START_SECONDS * TICKS_PER_SECOND);

  long ticks() {
    return ticks.get();
  }

  long seconds() {
    return ticks() / TICKS_PER_SECOND;
  }

  void advance(int seconds) {
    ticks.addAndGet(seconds * TICKS_PER_SECOND);
  }
}
