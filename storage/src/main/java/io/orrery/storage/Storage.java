package io.orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The partitions of one account. Ids are never reused by the layers above. */
public interface Storage extends AutoCloseable {

  /**
   * Opens a partition for reading and committing; the same object for the same id. Opening creates
   * nothing: a partition exists from its first {@link PartitionStore#load} or commit.
   */
  PartitionStore open(PartitionId id);

  /** Every partition that has a head or loaded entries and was not dropped, in order of id. */
  List<PartitionId> list();

  /**
   * Hides the partition at once, also after a crash, and frees its space in the background once the
   * last snapshot on it is closed. Dropping what does not exist does nothing.
   */
  void drop(PartitionId id);

  /** Whether all calls on one snapshot see the same state. */
  boolean repeatable();

  /**
   * Joins those that serve this storage from other processes; null where the storage belongs to one
   * process alone.
   *
   * @throws StorageFault when they cannot be reached, or have not in common what they must; then
   *     nothing is left behind
   */
  default @Nullable Membership join(Joining joining) {
    return null;
  }

  /** Figures for operators. */
  StorageStatistics statistics();

  /** What does not answer at present, in words for operators; null when all does. At once. */
  default @Nullable String trouble() {
    return null;
  }

  /**
   * Whether commits hardly move at present: one has run for more than a second, or the engine takes
   * none. At once.
   */
  default boolean isStalled() {
    return false;
  }

  /** Finishes running commits and releases everything. A call after it throws StorageFault. */
  @Override
  void close();
}
