package io.orrery.bench;

/**
 * A rate at which requests are sent whatever becomes of them; refusals for it (429) are counted.
 *
 * @param leadInSeconds what is not counted at the start
 * @param seconds what is counted behind it
 */
record Pace(double perSecond, double leadInSeconds, double seconds) {
  static final int REFUSED = 429;

  long leadInNanos() {
    return (long) (leadInSeconds * 1e9);
  }

  long nanos() {
    return (long) ((leadInSeconds + seconds) * 1e9);
  }

  /** When a request is due, from the start. */
  long dueNanos(long number) {
    return (long) (number * 1e9 / perSecond);
  }
}
