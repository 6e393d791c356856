package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.Mark;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Something to be done in a group. */
sealed interface Work {
  /** Writes in one logical partition: waits while another has it for itself. */
  sealed interface Local extends Work {
    Bytes logical();
  }

  /**
   * A client's task.
   *
   * @param mark null where nobody else can have been asked for it
   */
  record Client(ItemTask task, Bytes logical, @Nullable Mark mark, PartitionReply reply)
      implements Local {}

  /**
   * The end of a transaction with user code.
   *
   * @param hold what it has for itself; null when others may write beside it
   */
  record Transact(PendingWrites writes, @Nullable Hold hold, CompletableFuture<Commit> done)
      implements Local {
    @Override
    public Bytes logical() {
      return writes.logicalPartition();
    }
  }

  /** Takes a logical partition for a transaction, behind all that was to be done there before. */
  record Take(Hold hold, CompletableFuture<Hold> taken) implements Local {
    @Override
    public Bytes logical() {
      return hold.logical();
    }
  }

  /** Gives a logical partition back. */
  record GiveBack(Hold hold) implements Work {}

  /** Upkeep in a commit of its own; tells by its result what to do next. */
  record Upkeep(Chore chore) implements Work {}

  /** Something that must find the writer between two groups; tells the LSN of that moment. */
  record Turn(Runnable work, CompletableFuture<Long> done) implements Work {}

  /** Waits for a result; throws what prevented it. */
  static <T> T join(CompletableFuture<T> done) {
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
