package io.orrery.partition;

import java.util.concurrent.CompletableFuture;

/** Hands the end of a task to a thread that waits for it. */
record JoinedReply(CompletableFuture<PartitionAnswer> done) implements PartitionReply {
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
