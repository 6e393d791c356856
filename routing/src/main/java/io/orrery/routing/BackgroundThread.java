package io.orrery.routing;

import io.orrery.operation.ThreadPriority;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Long work that nobody waits for, on a thread of its own: on a virtual one it would keep a carrier
 * from the requests. Where the system allows it, requests also get the processor before it.
 */
final class BackgroundThread {
  private BackgroundThread() {}

  /** Blocks until it is done; throws what it throws. */
  static void run(String name, Runnable work) {
    var task =
        new FutureTask<>(
            () -> {
              ThreadPriority.stepBack();
              work.run();
            },
            null);
    Thread thread = Thread.ofPlatform().name(name).start(task);
    try {
      task.get();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new ServerStops();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new CompletionException(e);
      }
    }
  }
}
