package io.orrery.partition;

import io.orrery.operation.Bytes;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A logical partition that a transaction has for itself, and what others want to write there
 * meanwhile. Belongs to the thread that runs the groups; others may ask whether it is over.
 */
final class Hold {
  private final Bytes logical;
  private final Queue<Work> waiting = new ArrayDeque<>();
  private volatile boolean over;

  Hold(Bytes logical) {
    this.logical = logical;
  }

  Bytes logical() {
    return logical;
  }

  Queue<Work> waiting() {
    return waiting;
  }

  /** Whether others may write again. */
  boolean isOver() {
    return over;
  }

  void end() {
    over = true;
  }
}
