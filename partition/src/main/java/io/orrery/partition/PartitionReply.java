package io.orrery.partition;

import org.jspecify.annotations.Nullable;

/** Receives the end of a task, exactly once; must not block. */
public interface PartitionReply {
  void answer(PartitionAnswer answer);

  /** The partition is gone or sealed: the task belongs elsewhere now. */
  void moved();

  void fault(Throwable fault);

  /** Whether nobody waits for the end any more. Looked at only before anything is written. */
  default boolean isCancelled() {
    return false;
  }

  /** The activity id of the request, for the log; null where it has none. */
  default @Nullable String activityId() {
    return null;
  }
}
