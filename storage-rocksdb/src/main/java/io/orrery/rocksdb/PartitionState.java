package io.orrery.rocksdb;

import io.orrery.storage.Head;
import org.jspecify.annotations.Nullable;

/** What is known in memory about a partition, so that a read need not fetch the head. */
sealed interface PartitionState {

  /** No commit is on its way: every read sees this head. */
  record Settled(Phase phase, @Nullable Head head) implements PartitionState {
    static final Settled ABSENT = new Settled(Phase.ABSENT, null);
    static final Settled LOADED = new Settled(Phase.LOADED, null);
    static final Settled DROPPED = new Settled(Phase.DROPPED, null);

    static Settled live(Head head) {
      return new Settled(Phase.LIVE, head);
    }

    boolean exists() {
      return phase == Phase.LIVE || phase == Phase.LOADED;
    }
  }

  /**
   * A synced write is running and becomes visible at some moment of it. Nothing else writes
   * meanwhile, so a read at RocksDB's sequence number {@code base} is before it, any later one
   * behind it.
   */
  record Moving(Settled before, Settled after, long base) implements PartitionState {

    Settled at(long sequence) {
      return sequence == base ? before : after;
    }
  }

  /** How far the partition has come in its life. */
  enum Phase {
    ABSENT,
    LOADED,
    LIVE,
    DROPPED
  }
}
