package io.orrery.rocksdb;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native memory from being freed under a reader. Entering is one uncontended atomic add,
 * because the count is spread over slots; closing waits until everybody has left.
 */
final class Gate {
  private static final int SLOTS = 16;
  private static final int SPACING = 16; // two cache lines of longs, so that slots do not collide
  private static final long CLOSING_POLL_NANOS = 50_000;

  private final AtomicLongArray inside = new AtomicLongArray((SLOTS + 1) * SPACING);
  private volatile boolean closed;

  /** Returns the slot to leave by, or a negative number if the gate is closed. */
  int enter() {
    int slot = (1 + ((int) Thread.currentThread().threadId() & (SLOTS - 1))) * SPACING;
    inside.getAndIncrement(slot);
    if (closed) {
      inside.getAndDecrement(slot);
      return -1;
    }
    return slot;
  }

  void leave(int slot) {
    inside.getAndDecrement(slot);
  }

  /** Lets nobody in any more and returns when the last one has left. */
  void close() {
    closed = true;
    for (int slot = SPACING; slot < inside.length(); slot += SPACING) {
      while (inside.get(slot) != 0) {
        LockSupport.parkNanos(CLOSING_POLL_NANOS);
      }
    }
  }
}
