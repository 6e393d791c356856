package io.orrery.routing;

import java.util.concurrent.TimeUnit;

/**
 * How much was used per second of late: two windows, of which the older counts as far as it reaches
 * into the last seconds. Its owner guards it.
 */
final class RateMeter {
  private static final int WINDOW_SECONDS = 5;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);

  private long beganNanos;
  private double current;
  private double previous;

  RateMeter(long nowNanos) {
    this.beganNanos = nowNanos;
  }

  void add(double units, long nowNanos) {
    turn(nowNanos);
    current += units;
  }

  double perSecond(long nowNanos) {
    turn(nowNanos);
    double passed = (double) Math.max(0, nowNanos - beganNanos) / WINDOW_NANOS;
    return (current + previous * (1 - passed)) / WINDOW_SECONDS;
  }

  private void turn(long nowNanos) {
    long windows = (nowNanos - beganNanos) / WINDOW_NANOS;
    if (windows > 0) {
      previous = windows == 1 ? current : 0;
      current = 0;
      beganNanos += windows * WINDOW_NANOS;
    }
  }
}
