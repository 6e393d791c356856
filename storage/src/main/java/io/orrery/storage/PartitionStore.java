package io.orrery.storage;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Ordered bytes of one physical partition, advanced one atomic commit at a time. */
public interface PartitionStore {

  PartitionId id();

  /** A view for several reads; close it soon, it holds resources. */
  Snapshot snapshot();

  /** One key from one committed state, with the head of that state; the short way to read. */
  Read get(byte[] key);

  /**
   * From now on no answer is older than that version, which somebody else has seen; for engines
   * that can answer with the past.
   */
  default void expect(long version) {}

  /**
   * Applies the batch and makes {@code next} the head, all or nothing, if the head is still {@code
   * expected} (null: the partition has no head yet). Returns when the outcome is decided: durable,
   * or refused without a trace. An outcome that the engine could not learn at once is decided by
   * the commit id before this returns. A dropped partition refuses every commit.
   *
   * @throws StorageFault when the engine failed and the commit is known not to have happened
   * @throws CommitUndecided when the storage was closed before the outcome could be decided
   */
  CommitResult commit(@Nullable Head expected, Head next, Batch batch);

  /** As {@link Storage#isStalled}: a write that could wait with its client should not wait here. */
  default boolean isStalled() {
    return false;
  }

  /**
   * Adds entries, sorted by key and each key once, to a partition that has no head yet. May be
   * called several times, the last value of a key counts; durable, not atomic, invisible until the
   * first commit.
   *
   * @throws StorageFault also when the partition has a head or was dropped
   */
  void load(Iterator<Entry> sorted);
}
