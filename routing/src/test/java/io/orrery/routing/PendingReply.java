package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waits for an answer, for a client that may leave before it. */
final class PendingReply implements Database.Reply {
  final CompletableFuture<Answer> answer = new CompletableFuture<>();
  volatile boolean gone;

  /** The name of the thread that answered. */
  volatile @Nullable String thread;

  PendingReply(boolean gone) {
    this.gone = gone;
  }

  @Override
  public void answer(Answer given) {
    thread = Thread.currentThread().getName();
    answer.complete(given);
  }

  @Override
  public void fault(Throwable fault) {
    answer.completeExceptionally(fault);
  }

  @Override
  public boolean isCancelled() {
    return gone;
  }
}
