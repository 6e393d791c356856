package io.orrery.partition;

import org.jspecify.annotations.Nullable;

/** A piece of upkeep, small enough for one commit. */
interface Chore {
  /** Writes into the group; returns the chore that goes on, or null when all is done. */
  @Nullable Chore run(WriteGroup group, GroupState state, Markers markers);
}
