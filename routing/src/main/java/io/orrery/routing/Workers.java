package io.orrery.routing;

import io.orrery.operation.Activity;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what may wait, each on a thread of its own, a bounded number at a time. */
final class Workers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("routing-", 0).factory());
  private final int most;
  private final Semaphore room;
  private final Map<String, Integer> ofContainer = new ConcurrentHashMap<>();
  private volatile boolean finished;

  Workers(int most) {
    this.most = most;
    room = new Semaphore(most);
  }

  /** Runs work that answers for itself; refuses for it when there is no room. */
  void run(Database.Reply reply, Runnable work) {
    try {
      execute(threads, inActivity(reply, work), () -> {});
    } catch (RejectedExecutionException e) {
      reply.answer(refusal(String.valueOf(e.getMessage())));
    }
  }

  /** The same for one container. */
  void run(Database.Reply reply, String container, Runnable work) {
    run(reply, container, threads, work);
  }

  /** The same on other threads than those that only wait. */
  void run(Database.Reply reply, String container, Executor on, Runnable work) {
    try {
      execute(container, on, inActivity(reply, work));
    } catch (RejectedExecutionException e) {
      reply.answer(refusal(String.valueOf(e.getMessage())));
    }
  }

  private static Runnable inActivity(Database.Reply reply, Runnable work) {
    return () -> Activity.run(reply.activityId(), work);
  }

  /**
   * Runs work for one container, which has at most half of the room: others find the rest.
   *
   * @throws RejectedExecutionException that says why there is no room
   */
  void execute(String container, Executor on, Runnable work) {
    if (ofContainer.merge(container, 1, Integer::sum) > most / 2) {
      leave(container);
      throw new RejectedExecutionException(
          "More than " + most / 2 + " requests of the container are waiting; try again");
    }
    execute(on, work, () -> leave(container));
  }

  private void leave(String container) {
    ofContainer.computeIfPresent(container, (_, count) -> count == 1 ? null : count - 1);
  }

  private void execute(Executor on, Runnable work, Runnable ended) {
    if (!room.tryAcquire()) {
      ended.run();
      throw new RejectedExecutionException(
          "More than " + most + " requests are waiting; try again");
    }
    // A thread may run though its start failed: who comes first ends it.
    var claimed = new AtomicBoolean();
    Runnable left =
        () -> {
          room.release();
          ended.run();
        };
    try {
      if (finished) {
        throw new RejectedExecutionException();
      }
      on.execute(
          () -> {
            if (!claimed.getAndSet(true)) {
              try {
                work.run();
              } finally {
                left.run();
              }
            }
          });
    } catch (RuntimeException | Error e) {
      if (!claimed.getAndSet(true)) {
        left.run();
        if (e instanceof RejectedExecutionException) {
          throw new RejectedExecutionException("The server is stopping", e);
        }
        throw e;
      }
    }
  }

  /** Runs work that was let in before. */
  void runAgain(Database.Reply reply, Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      reply.answer(refusal("The server is stopping"));
    }
  }

  /** Runs work that no client waits for; what fails is left to recovery. */
  void runInBackground(String what, Runnable work) {
    try {
      threads.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.warn("Background work failed; the next start takes it up: {}", what, e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.info("Background work is left to the next start: {}", what);
    }
  }

  private static Answer refusal(String message) {
    return Answer.of(new Refusal.Unavailable(message), RequestCharge.NONE);
  }

  /** Waits for what runs on any thread; lets nothing more in. May be called again. */
  void finish() {
    finished = true;
    close();
    room.acquireUninterruptibly(most);
    room.release(most);
  }

  /** Waits for what runs on its own threads. */
  @Override
  public void close() {
    threads.close();
  }
}
