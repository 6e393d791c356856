package io.orrery.routing;

import io.orrery.operation.ComputingThreads;
import java.util.concurrent.Executor;

/** Where conditions of writes are decided: a bounded number at a time, containers take turns. */
final class ConditionalThreads {
  private static final int RUNNING_MAX = 2_000;

  private final ComputingThreads threads;
  private final Workers room;

  ConditionalThreads(ComputingThreads threads) {
    this(threads, RUNNING_MAX);
  }

  ConditionalThreads(ComputingThreads threads, int most) {
    this.threads = threads;
    this.room = new Workers(most);
  }

  /** For the writes of a container, which has at most half of the room. */
  Executor of(String containerRid) {
    return work -> room.execute(containerRid, task -> threads.start(containerRid, task), work);
  }
}
