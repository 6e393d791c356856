package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.Mark;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.storage.StorageFault;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Something to be done in a group. */
sealed interface Work {
  int ACTIVITY_IDS_MAX = 5;

  /** Writes in one logical partition: waits while another has it for itself. */
  sealed interface Local extends Work {
    Bytes logical();
  }

  /** Shares groups with others of its kind; ends in exactly one of these ways. */
  sealed interface Write extends Local {
    /**
     * Writes into the group, as a transaction.
     *
     * @return what tells the result once the group is committed
     */
    Runnable evaluate(WriteGroup group);

    /** What it has for itself; null when others may write beside it. */
    @Nullable Hold hold();

    /** The activity id of the request, for the log; null where it has none. */
    @Nullable String activityId();

    /** What it has drawn for the memory that it takes while it waits. */
    long weightBytes();

    /**
     * Nothing was done: there is more of it than one commit takes. What it computed has a price.
     */
    void tooLarge(Refusal refusal, RequestCharge charge, long lsn);

    /** Nothing was done: it belongs elsewhere now. */
    void moved();

    /** Nothing was done: the storage failed. */
    void failed(StorageFault fault, long lsn);

    /** Nothing was done, and why is not the client's matter. */
    void fault(Throwable fault);
  }

  /**
   * A client's task.
   *
   * @param mark null where nobody else can have been asked for it
   */
  record Client(
      ItemTask task,
      Bytes logical,
      @Nullable Mark mark,
      @Nullable Hold hold,
      long weightBytes,
      PartitionReply reply)
      implements Write {
    @Override
    public Runnable evaluate(WriteGroup group) {
      PartitionAnswer answer = group.evaluate(this);
      return () -> reply.answer(answer);
    }

    @Override
    public @Nullable String activityId() {
      return reply.activityId();
    }

    @Override
    public void tooLarge(Refusal refusal, RequestCharge charge, long lsn) {
      reply.answer(new PartitionAnswer(refusal, charge, lsn, lsn));
    }

    @Override
    public void moved() {
      reply.moved();
    }

    @Override
    public void failed(StorageFault fault, long lsn) {
      reply.answer(PartitionAnswer.unavailable(fault, lsn));
    }

    @Override
    public void fault(Throwable fault) {
      reply.fault(fault);
    }
  }

  /** The end of a transaction with user code. */
  record Transact(
      PendingWrites writes,
      @Nullable Hold hold,
      long weightBytes,
      @Nullable String activityId,
      CompletableFuture<Commit> done)
      implements Write {
    @Override
    public Bytes logical() {
      return writes.logicalPartition();
    }

    @Override
    public Runnable evaluate(WriteGroup group) {
      Commit ended = group.commit(writes);
      return () -> done.complete(ended);
    }

    @Override
    public void tooLarge(Refusal refusal, RequestCharge charge, long lsn) {
      done.complete(new Commit.Refused(refusal));
    }

    @Override
    public void moved() {
      done.completeExceptionally(new PartitionMoved());
    }

    @Override
    public void failed(StorageFault fault, long lsn) {
      done.completeExceptionally(fault);
    }

    @Override
    public void fault(Throwable fault) {
      done.completeExceptionally(fault);
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

  /** The activity ids of the first few requests, for the log. */
  static List<String> activityIds(Collection<? extends Work> group) {
    return group.stream()
        .map(work -> work instanceof Write write ? write.activityId() : null)
        .filter(Objects::nonNull)
        .distinct()
        .limit(ACTIVITY_IDS_MAX)
        .toList();
  }

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
