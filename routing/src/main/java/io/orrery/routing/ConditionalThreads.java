package io.orrery.routing;

import io.orrery.operation.ComputingThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/** Where conditions of writes are decided: a bounded number at a time, containers take turns. */
final class ConditionalThreads {
  private static final int RUNNING_MAX = 2_000;

  private final ComputingThreads threads;
  private final Semaphore room = new Semaphore(RUNNING_MAX);

  ConditionalThreads(ComputingThreads threads) {
    this.threads = threads;
  }

  /** For the writes of a container. */
  Executor of(String containerRid) {
    return work -> start(containerRid, work);
  }

  private void start(String containerRid, Runnable work) {
    if (!room.tryAcquire()) {
      throw new RejectedExecutionException(
          "More than " + RUNNING_MAX + " writes with conditions are being decided; try again");
    }
    try {
      threads.start(
          containerRid,
          () -> {
            try {
              work.run();
            } finally {
              room.release();
            }
          });
    } catch (RuntimeException | Error e) {
      room.release(); // it was not started
      throw e;
    }
  }
}
