package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class ComputingThreadsTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final ComputingThreads threads = new ComputingThreads("computing", 1);
  private final AtomicBoolean enough = new AtomicBoolean();

  @AfterEach
  void close() {
    enough.set(true);
    threads.close();
  }

  /** The carrier is the end of a virtual thread's text. */
  private static boolean isAmongItsOwn() {
    return Thread.currentThread().toString().contains("computing-carrier-");
  }

  private static void computeUntilMoved() {
    while (!isAmongItsOwn()) {
      ComputingThreads.giveWay();
    }
  }

  private void computeUntilEnough() {
    while (!enough.get()) {
      ComputingThreads.giveWay();
    }
  }

  @Test
  void workThatComputesForLongLeavesTheCarriersToOthers() throws Exception {
    var moved = new CountDownLatch(1);
    for (int i = 0; i < 4 * CORES; i++) {
      threads.start(
          i,
          () -> {
            computeUntilMoved();
            moved.countDown();
            computeUntilEnough();
          });
    }
    moved.await();
    // Carriers are not taken away: without a move this thread would wait for ever.
    var other = new CompletableFuture<Boolean>();
    Thread.ofVirtual().start(() -> other.complete(isAmongItsOwn()));
    assertFalse(other.get(30, TimeUnit.SECONDS));
    assertFalse(enough.get());
  }

  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void workThatHasMovedHasALowerPriority() throws Exception {
    Future<Integer> moved =
        threads.submit(
            () -> {
              computeUntilMoved();
              return ThreadPriorityTest.niceness();
            });
    assertEquals(10, moved.get());
  }

  @Test
  void usualCarriersAreStartedBeforeThoseOfLowerPriority() throws Exception {
    Future<Boolean> moved =
        threads.submit(
            () -> {
              computeUntilMoved();
              return true;
            });
    assertTrue(moved.get());
    var pool = assertInstanceOf(ForkJoinPool.class, CarrierAccess.found().orElseThrow().usual());
    while (pool.getPoolSize() < pool.getParallelism()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void smallWorkStaysWhereItBegan() throws Exception {
    try (var still = new ComputingThreads("computing", 1, () -> 0, () -> 0)) {
      Future<Boolean> small =
          still.submit(
              () -> {
                ComputingThreads.giveWay();
                return isAmongItsOwn();
              });
      assertFalse(small.get());
    }
  }

  @Test
  void smallWorkStaysWhileOthersHaveTheProcessor() throws Exception {
    var clock = new AtomicLong();
    try (var preempted = new ComputingThreads("computing", 1, clock::get, () -> 0)) {
      Future<Boolean> moved =
          preempted.submit(
              () -> {
                clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
                ComputingThreads.giveWay();
                return isAmongItsOwn();
              });
      assertFalse(moved.get());
    }
  }

  @Test
  void workThatHoldsItsCarrierForLongMoves() throws Exception {
    var clock = new AtomicLong();
    try (var held = new ComputingThreads("computing", 1, clock::get, () -> 0)) {
      Future<Boolean> moved =
          held.submit(
              () -> {
                while (!isAmongItsOwn()) {
                  clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
                  ComputingThreads.giveWay();
                }
                return true;
              });
      assertTrue(moved.get());
    }
  }

  @Test
  void waitingIsNotComputing() throws Exception {
    var clock = new AtomicLong();
    try (var still = new ComputingThreads("computing", 1, clock::get, clock::get)) {
      var thread = new CompletableFuture<Thread>();
      var answered = new CountDownLatch(1);
      Future<Boolean> waits =
          still.submit(
              () -> {
                thread.complete(Thread.currentThread());
                answered.await();
                ComputingThreads.giveWay();
                return isAmongItsOwn();
              });
      while (thread.get().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      clock.set(TimeUnit.SECONDS.toNanos(1));
      answered.countDown();
      assertFalse(waits.get());
    }
  }

  @Test
  void workOfWorkThatHasMovedBeginsThere() throws Exception {
    var later = new CompletableFuture<Boolean>();
    threads.start(
        "owner",
        () -> {
          computeUntilMoved();
          threads.start("owner", () -> later.complete(isAmongItsOwn()));
        });
    assertTrue(later.get());
  }

  @Test
  void virtualThreadsThatWorkStartsStayOnTheUsualCarriers() throws Exception {
    var other = new CompletableFuture<Boolean>();
    threads.start(
        "owner",
        () -> {
          computeUntilMoved();
          Thread.ofVirtual()
              .start(
                  () -> {
                    ComputingThreads.giveWay();
                    other.complete(isAmongItsOwn());
                  });
        });
    assertFalse(other.get());
  }

  @Test
  void workThatComputesTakesTurnsOnOneThread() throws Exception {
    List<Future<Boolean>> all = new ArrayList<>();
    var both = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      all.add(
          threads.submit(
              () -> {
                computeUntilMoved();
                both.countDown();
                // Each goes on only once the other has had the one thread.
                while (both.getCount() > 0) {
                  ComputingThreads.giveWay();
                }
                return isAmongItsOwn();
              }));
    }
    for (Future<Boolean> each : all) {
      assertTrue(each.get());
    }
  }

  @Test
  void theEndWaitsForWhatRuns() throws Exception {
    var began = new CountDownLatch(1);
    Future<Boolean> runs =
        threads.submit(
            () -> {
              began.countDown();
              computeUntilEnough();
              return true;
            });
    began.await();
    Thread closing = Thread.ofPlatform().start(threads::close);
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThrows(RejectedExecutionException.class, () -> threads.start("owner", () -> {}));
    assertFalse(runs.isDone());
    enough.set(true);
    closing.join();
    assertEquals(Future.State.SUCCESS, runs.state());
  }
}
