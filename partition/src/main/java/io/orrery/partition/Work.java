package io.orrery.partition;

import io.orrery.operation.Bytes;
import java.util.concurrent.CompletableFuture;

/** Something to be done in a group. */
sealed interface Work {
  /** A client's task. */
  record Client(ItemTask task, Bytes logical, PartitionReply reply) implements Work {}

  /** Upkeep in a commit of its own; tells by its result what to do next. */
  record Upkeep(Chore chore) implements Work {}

  /** Something that must find the writer between two groups; tells the LSN of that moment. */
  record Turn(Runnable work, CompletableFuture<Long> done) implements Work {}
}
