package io.orrery.partition;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Hands the end of a task to a thread that waits for it. */
record JoinedReply(CompletableFuture<PartitionAnswer> done, @Nullable String activityId)
    implements PartitionReply {
  @Override
  public void answer(PartitionAnswer answer) {
    done.complete(answer);
  }

  @Override
  public void moved() {
    done.completeExceptionally(new PartitionMoved());
  }

  @Override
  public void fault(Throwable fault) {
    done.completeExceptionally(fault);
  }
}
