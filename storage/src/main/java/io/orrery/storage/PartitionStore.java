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
   * Applies the batch and makes {@code next} the head, all or nothing, if the head is still {@code
   * expected} (null: the partition has no head yet). Returns when the outcome is decided: durable,
   * or refused without a trace. An outcome that the engine could not learn at once is decided by
   * the commit id before this returns.
   *
   * @throws StorageFault when the engine failed and the commit is known not to have happened
   */
  CommitResult commit(@Nullable Head expected, Head next, Batch batch);

  /**
   * Adds entries, sorted by key, to a partition that has no head yet. May be called several times;
   * durable, not atomic, invisible until the first commit.
   */
  void load(Iterator<Entry> sorted);
}
