package io.orrery.operation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Work of several owners that waits for a thread. Owners take turns, whatever the number of pieces
 * that each has waiting; the pieces of one owner come in the order in which they were added.
 *
 * <p>Only the threads that take work lock anything. The threads that add some may run on those very
 * threads: a virtual thread that blocked on a lock they take would be its next owner, and none of
 * them could run it.
 */
final class FairQueue {
  /** More than there are threads to end. */
  private static final int ENDS = 1 << 20;

  private record Piece(Object owner, Runnable work) {}

  private final Queue<Piece> added = new ConcurrentLinkedQueue<>();

  /** A permit for each piece that was added and not taken; many at the end. */
  private final Semaphore pieces = new Semaphore(0);

  /** Guarded by this, as is the ring: owners that have work, the next one first. */
  private final Map<Object, Deque<Runnable>> waiting = new HashMap<>();

  private final Deque<Object> ring = new ArrayDeque<>();
  private final AtomicInteger left = new AtomicInteger();

  /** Never blocks. */
  void add(Object owner, Runnable work) {
    left.incrementAndGet();
    added.add(new Piece(owner, work));
    pieces.release();
  }

  /** The next piece of work; waits for one. Null when nothing is left at the end. */
  @Nullable Runnable take() {
    try {
      pieces.acquire();
    } catch (InterruptedException e) {
      throw new IllegalStateException("A thread of the server's own was interrupted", e);
    }
    return next();
  }

  private synchronized @Nullable Runnable next() {
    for (Piece piece = added.poll(); piece != null; piece = added.poll()) {
      Deque<Runnable> own = waiting.get(piece.owner);
      if (own == null) {
        own = new ArrayDeque<>();
        waiting.put(piece.owner, own);
        ring.addLast(piece.owner);
      }
      own.addLast(piece.work);
    }
    Object owner = ring.pollFirst();
    if (owner == null) {
      return null;
    }
    Deque<Runnable> own = waiting.get(owner);
    if (own == null) {
      throw new IllegalStateException("An owner without work had a turn");
    }
    Runnable next = own.removeFirst();
    left.decrementAndGet();
    if (own.isEmpty()) {
      waiting.remove(owner);
    } else {
      ring.addLast(owner);
    }
    return next;
  }

  /** Lets the threads that take work end. */
  void close() {
    pieces.release(ENDS);
  }

  /** Never blocks. */
  boolean isEmpty() {
    return left.get() == 0;
  }
}
