package io.orrery.partition;

/** Changes were asked for from a transaction on that the partition has not had. */
public final class PositionAhead extends RuntimeException {
  private static final long serialVersionUID = 1;

  PositionAhead() {
    // An answer to the client, not a fault: no stack trace.
    super("The partition has no such transaction yet", null, false, false);
  }
}
