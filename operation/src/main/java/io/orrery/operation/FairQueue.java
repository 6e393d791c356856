package io.orrery.operation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work of several owners that waits for a thread. Owners take turns, whatever the number of pieces
 * that each has waiting; the pieces of one owner come in the order in which they were added.
 */
final class FairQueue {
  /** Guarded by this, as is the ring: owners that have work, the next one first. */
  private final Map<Object, Deque<Runnable>> waiting = new HashMap<>();

  private final Deque<Object> ring = new ArrayDeque<>();
  private boolean closed;

  synchronized void add(Object owner, Runnable work) {
    Deque<Runnable> own = waiting.get(owner);
    if (own == null) {
      own = new ArrayDeque<>();
      waiting.put(owner, own);
      ring.addLast(owner);
    }
    own.addLast(work);
    notify();
  }

  /** The next piece of work; waits for one. Null when nothing is left at the end. */
  synchronized @Nullable Runnable take() {
    while (ring.isEmpty()) {
      if (closed) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException("A thread of the server's own was interrupted", e);
      }
    }
    Object owner = ring.removeFirst();
    Deque<Runnable> own = waiting.get(owner);
    if (own == null) {
      throw new IllegalStateException("An owner without work had a turn");
    }
    Runnable next = own.removeFirst();
    if (own.isEmpty()) {
      waiting.remove(owner);
    } else {
      ring.addLast(owner);
    }
    return next;
  }

  /** Lets the threads that take work end. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isEmpty() {
    return ring.isEmpty();
  }
}
