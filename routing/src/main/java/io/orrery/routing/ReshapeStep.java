package io.orrery.routing;

/**
 * The moments of a split or merge between which a crash makes a difference. Before {@link #DECIDED}
 * a restart undoes everything, from it on it finishes.
 */
public enum ReshapeStep {
  /** The catalog knows of the intent; nothing else has happened. */
  INTENDED,
  /** The state of one moment was copied to all new partitions. */
  LOADED,
  /** Most of what has changed since then was copied, too. */
  CAUGHT_UP,
  /** The old partitions take no more writes. */
  SEALED,
  /** The new partitions have everything. */
  COPIED,
  /** The map names the new partitions. */
  DECIDED,
  /** The old partitions are dropped. */
  DROPPED
}
