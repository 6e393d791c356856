package io.orrery.partition;

/** The partition is gone or sealed; its range is served elsewhere now. */
public final class PartitionMoved extends RuntimeException {
  private static final long serialVersionUID = 1;

  public PartitionMoved() {
    // Control flow towards the router, not a fault: no stack trace.
    super("The partition has moved", null, false, false);
  }
}
