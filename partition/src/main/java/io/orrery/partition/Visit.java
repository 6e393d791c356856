package io.orrery.partition;

/** Asks whoever serves a partition how far it is. */
public interface Visit {
  /**
   * The version of the last commit that was acknowledged; blocks.
   *
   * @throws PartitionMoved when nobody could tell
   */
  long version();
}
