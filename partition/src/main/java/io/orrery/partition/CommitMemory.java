package io.orrery.partition;

import io.orrery.storage.Batch;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory of commits that wait for the disk, of all partitions together. What clients sent does
 * not bound it: a patch of a few bytes writes a version as large as the item. A commit that finds
 * no room is forgotten, and evaluated again when there is some. Large ones leave a part of the
 * memory to the others. Belongs to one writer.
 */
final class CommitMemory {
  /** Those up to this size always find room. */
  static final long SMALL_BYTES = 64 << 10;

  private static final int PART_OF_HEAP = 4;
  private static final int KILOBYTE = 1 << 10;

  /** The part that large commits leave to the others. */
  private static final int RESERVED_PART = 8;

  /** The batch, its form for the storage, and the answers. */
  private static final int COPIES = 3;

  private static final int BOUND_KILOBYTES =
      Math.clamp(
          Runtime.getRuntime().maxMemory() / PART_OF_HEAP / KILOBYTE,
          2 * RESERVED_PART,
          Integer.MAX_VALUE);

  private static final Room RESERVED = new Room(BOUND_KILOBYTES / RESERVED_PART);
  private static final Room SHARED = new Room(BOUND_KILOBYTES - BOUND_KILOBYTES / RESERVED_PART);

  /** Where it has taken something. */
  private Room taken = SHARED;

  private int takenKilobytes;

  /** What found no room; null when nothing did. */
  private @Nullable Wanted wanted;

  /** A commit found no room in time. */
  static final class Full extends StorageFault {
    private static final long serialVersionUID = 1;

    Full() {
      super("Commits that wait for the storage fill the memory for them");
    }
  }

  /** A part of the memory, given out in the order in which it was asked for. */
  private record Room(Semaphore kilobytes, int boundKilobytes) {
    Room(int boundKilobytes) {
      this(new Semaphore(boundKilobytes, true), boundKilobytes);
    }
  }

  private record Wanted(Room room, long bytes) {}

  /** How many commits wait for room. */
  static int waiting() {
    return SHARED.kilobytes.getQueueLength() + RESERVED.kilobytes.getQueueLength();
  }

  /**
   * Takes room for a commit, after those of its kind that wait already; false when there is none.
   */
  boolean tryTake(long bytes) {
    if (bytes <= SMALL_BYTES || takenKilobytes > 0) {
      return true; // never more than it has waited for: two that wait for more would wait for ever
    }
    boolean large = bytes >= Batch.LARGE_BYTES;
    if ((!large && take(RESERVED, bytes, Duration.ZERO)) || take(SHARED, bytes, Duration.ZERO)) {
      return true;
    }
    wanted = new Wanted(large ? SHARED : RESERVED, bytes);
    return false;
  }

  /** Whether a commit found no room. */
  boolean isWanted() {
    return wanted != null;
  }

  /** The commit becomes smaller instead. */
  void forgo() {
    wanted = null;
  }

  /** Waits for the room that was wanted; false when there was none in time. */
  boolean await(Duration patience) {
    Wanted found = wanted;
    wanted = null;
    return found == null || take(found.room, found.bytes, patience);
  }

  private boolean take(Room room, long bytes, Duration patience) {
    int kilobytes = Math.clamp(COPIES * bytes / KILOBYTE, 1, room.boundKilobytes);
    try {
      if (!room.kilobytes.tryAcquire(kilobytes, patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    taken = room;
    takenKilobytes = kilobytes;
    return true;
  }

  /** Returns the room, if there was any. */
  void giveBack() {
    wanted = null;
    taken.kilobytes.release(takenKilobytes);
    takenKilobytes = 0;
  }
}
