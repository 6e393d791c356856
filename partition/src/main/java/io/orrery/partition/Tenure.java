package io.orrery.partition;

import io.orrery.storage.PartitionId;
import java.time.Duration;

/**
 * By what right this process serves a partition that other processes could serve as well. Whoever
 * takes a partition over writes an epoch of its own into the head: from then on nobody else's
 * commit succeeds, and after the lease nobody else's read counts.
 */
public interface Tenure {
  /** Of storages that belong to one process. */
  Tenure SOLE =
      new Tenure() {
        @Override
        public boolean isSole() {
          return true;
        }

        @Override
        public long epoch(long found) {
          return found;
        }

        @Override
        public Duration dismiss(PartitionId partition, long epoch) {
          return Duration.ZERO;
        }

        @Override
        public Duration lease() {
          return Duration.ofNanos(Long.MAX_VALUE);
        }

        @Override
        public boolean isCurrent() {
          return true;
        }

        @Override
        public void lost() {}
      };

  /** Whether there is nobody else. */
  default boolean isSole() {
    return false;
  }

  /** What has to stand in the head of all that is written here, given what stands there. */
  long epoch(long found);

  /**
   * Makes whoever serves a partition under another epoch stop; blocks. Tells how long it may answer
   * reads all the same, because it could not be asked.
   */
  Duration dismiss(PartitionId partition, long epoch);

  /** For how long after the beginning of a commit no other process commits. */
  Duration lease();

  /** Whether others are certain to count on this process; does not block. */
  boolean isCurrent();

  /** Another process has taken a partition over that was served here. */
  void lost();
}
