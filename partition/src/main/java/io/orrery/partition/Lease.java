package io.orrery.partition;

/** Until when nobody else can have written to a partition that this process serves. */
final class Lease {
  private final Tenure tenure;
  private final long nanos;
  private volatile long begun;
  private volatile boolean ended;

  /** Begins with a commit that was begun at that moment. */
  Lease(Tenure tenure, long begunNanos) {
    this.tenure = tenure;
    this.nanos = tenure.lease().toNanos();
    this.begun = begunNanos;
  }

  /** A commit succeeded that was begun at that moment. */
  void renewed(long begunNanos) {
    begun = begunNanos;
  }

  /** By the clock of this machine alone, so that a pause ends it too. */
  boolean isValid() {
    return tenure.isSole() || (System.nanoTime() - begun < nanos && tenure.isCurrent() && !ended);
  }

  /** The partition is given to another process. */
  void end() {
    ended = true;
  }

  void lost() {
    tenure.lost();
  }
}
