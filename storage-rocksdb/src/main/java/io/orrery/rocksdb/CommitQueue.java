package io.orrery.rocksdb;

import io.orrery.storage.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for the committer. Small ones share a write; a large one, which keeps the disk
 * busy for many milliseconds, has a write of its own. Where both keep coming they take turns: a
 * small commit waits for one large one at most, and a large one for one group of small ones.
 */
final class CommitQueue {
  /** A group takes no further commit once it has so much: its first commit waits for all. */
  static final int GROUP_BYTES_MAX = 2 << 20;

  private final Deque<Request> small = new ArrayDeque<>();
  private final Deque<Request> large = new ArrayDeque<>();
  private boolean smallNext;

  synchronized void add(Request request) {
    (isLarge(request) ? large : small).add(request);
    notifyAll();
  }

  /** Takes a request back; false when it was given out. */
  synchronized boolean remove(Request request) {
    return (isLarge(request) ? large : small).remove(request);
  }

  /**
   * The requests of the next write, in the order in which they came; waits for one. Work that may
   * not run beside a write is the last of its group.
   */
  synchronized List<Request> take() throws InterruptedException {
    while (isEmpty()) {
      wait();
    }
    boolean alone = !large.isEmpty() && !(smallNext && !small.isEmpty());
    smallNext = alone;
    return alone ? List.of(large.remove()) : takeSmall();
  }

  private List<Request> takeSmall() {
    var group = new ArrayList<Request>();
    long bytes = 0;
    Request next;
    do {
      next = small.remove();
      group.add(next);
      bytes += sizeBytes(next);
    } while (!small.isEmpty() && bytes < GROUP_BYTES_MAX && !(next instanceof Request.Alone));
    return group;
  }

  /** Any request, or null when none has come until that time. */
  synchronized @Nullable Request poll(long untilNanos) throws InterruptedException {
    while (isEmpty()) {
      long left = untilNanos - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return small.isEmpty() ? large.remove() : small.remove();
  }

  synchronized List<Request> takeAll() {
    var all = new ArrayList<Request>(small);
    all.addAll(large);
    small.clear();
    large.clear();
    return all;
  }

  synchronized boolean isEmpty() {
    return small.isEmpty() && large.isEmpty();
  }

  synchronized int size() {
    return small.size() + large.size();
  }

  private static boolean isLarge(Request request) {
    return sizeBytes(request) >= Batch.LARGE_BYTES;
  }

  private static long sizeBytes(Request request) {
    return request instanceof Request.Commit commit ? commit.bytes().sizeBytes() : 0;
  }
}
