package io.orrery.partition;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory of commits that wait for the disk, of all partitions together. What clients sent does
 * not bound it: a patch of a few bytes writes a version as large as the item. A commit that finds
 * no room is forgotten, and evaluated again when there is some. Belongs to one writer.
 */
final class CommitMemory {
  private static final int PART_OF_HEAP = 4;
  private static final int KILOBYTE = 1 << 10;

  /** The batch, its form for the storage, and the answers. */
  private static final int COPIES = 3;

  /** Those up to this size always find room. */
  private static final long SMALL_BYTES = 64 << 10;

  private static final int BOUND_KILOBYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / PART_OF_HEAP / KILOBYTE, 1, Integer.MAX_VALUE);

  private static final Semaphore KILOBYTES = new Semaphore(BOUND_KILOBYTES, true);

  private int taken;

  /** What found no room; null when nothing did. */
  private @Nullable Integer wanted;

  /** How many commits wait for room. */
  static int waiting() {
    return KILOBYTES.getQueueLength();
  }

  /** Takes room for a commit, behind those that wait; false when there is none. */
  boolean tryTake(long bytes) {
    if (bytes <= SMALL_BYTES || taken > 0) {
      return true; // never more than it has waited for: two that wait for more would wait for ever
    }
    int kilobytes = Math.clamp(COPIES * bytes / KILOBYTE, 1, BOUND_KILOBYTES);
    if (take(kilobytes, Duration.ZERO)) {
      return true;
    }
    wanted = kilobytes;
    return false;
  }

  /** Whether a commit found no room. */
  boolean isWanted() {
    return wanted != null;
  }

  /** Waits for the room that was wanted; false when there was none in time. */
  boolean await(Duration patience) {
    Integer kilobytes = wanted;
    wanted = null;
    return kilobytes == null || take(kilobytes, patience);
  }

  private boolean take(int kilobytes, Duration patience) {
    try {
      if (!KILOBYTES.tryAcquire(kilobytes, patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    taken = kilobytes;
    return true;
  }

  /** Returns the room, if there was any. */
  void giveBack() {
    wanted = null;
    KILOBYTES.release(taken);
    taken = 0;
  }
}
