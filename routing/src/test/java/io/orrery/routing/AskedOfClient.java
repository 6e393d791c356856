package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An answer on its way to a client, which may have left already. */
final class AskedOfClient implements Database.Reply {
  final CompletableFuture<Answer> answer = new CompletableFuture<>();
  private final boolean gone;

  /** What the thread is called that answered. */
  volatile @Nullable String thread;

  AskedOfClient(boolean gone) {
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
