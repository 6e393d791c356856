package io.orrery.script;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a process for scripts works, from the moment this is made: in its own processor time, so
 * that a script costs the same however busy the machine is. By the clock where that cannot be
 * learnt, because the process has ended.
 */
public final class WorkTime {
  private final ProcessHandle process;
  private final long beganNanos = System.nanoTime();
  private final Optional<Duration> began;

  WorkTime(ProcessHandle process) {
    this.process = process;
    this.began = process.info().totalCpuDuration();
  }

  /** So far, in nanoseconds. */
  public long nanos() {
    Optional<Duration> now = process.info().totalCpuDuration();
    return began.isPresent() && now.isPresent()
        ? now.get().minus(began.get()).toNanos()
        : System.nanoTime() - beganNanos;
  }
}
