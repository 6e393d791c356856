package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  @Test
  void whatFailsDoesNotStopWhatComesAfterIt() throws Exception {
    var ran = new AtomicInteger();
    var queue =
        new WorkQueue(
            "test",
            group -> {
              if (ran.incrementAndGet() == 1) {
                throw new IllegalStateException("planted");
              }
            });
    for (int n = 0; n < 3; n++) {
      queue.add(new Work.Turn(() -> {}, new CompletableFuture<>()));
    }
    CompletableFuture.runAsync(queue::awaitEmpty).get(30, TimeUnit.SECONDS);
    assertEquals(3, ran.get());
  }

  @Test
  void whatIsAddedIsDoneWhereNoThreadCanBeStarted() {
    var ran = new AtomicInteger();
    var queue =
        new WorkQueue(
            "test",
            group -> ran.addAndGet(group.size()),
            work ->
                new Thread(work) {
                  @Override
                  public void start() {
                    throw new RejectedExecutionException("planted");
                  }
                });
    for (int n = 0; n < 3; n++) {
      queue.add(new Work.Turn(() -> {}, new CompletableFuture<>()));
    }
    assertEquals(3, ran.get());
    assertEquals(0, queue.size());
  }

  /** The JDK runs a thread at times though it could not be started. */
  @Test
  void nobodyWorksBesideAThreadThatRunsThoughItsStartFailed() throws Exception {
    var atATime = new AtomicInteger();
    var most = new AtomicInteger();
    var ran = new AtomicInteger();
    var queue =
        new WorkQueue(
            "test",
            group -> {
              most.accumulateAndGet(atATime.incrementAndGet(), Math::max);
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
              ran.addAndGet(group.size());
              atATime.decrementAndGet();
            },
            work ->
                new Thread(work) {
                  @Override
                  public void start() {
                    super.start();
                    throw new RejectedExecutionException("planted");
                  }
                });
    for (int n = 0; n < 100; n++) {
      queue.add(new Work.Turn(() -> {}, new CompletableFuture<>()));
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    CompletableFuture.runAsync(queue::awaitEmpty).get(30, TimeUnit.SECONDS);
    assertEquals(1, most.get());
    assertEquals(100, ran.get());
  }
}
