package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Bytes;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits of all partitions that wait for the disk share a part of the heap. */
@Timeout(120)
class CommitMemoryTest {
  private static final String LARGE =
      "{\"id\":\"1\",\"pk\":\"a\",\"t\":\"" + "x".repeat(1 << 20) + "\"}";

  private final CommitMemory others = new CommitMemory();

  @AfterEach
  void end() {
    others.giveBack();
  }

  @Test
  void commitWithoutRoomIsForgottenAndEvaluatedAgain() {
    var evaluated = new AtomicInteger();
    try (var p = new PartitionFixture(true);
        var small = new PartitionFixture(true)) {
      p.run(new ItemTask.Create(key("a"), item(LARGE)));
      takeAll();
      CompletableFuture<PartitionAnswer> written =
          p.submit(
              new ItemTask.Merge(
                  key("a"),
                  item(LARGE),
                  Precondition.NONE,
                  merged -> {
                    evaluated.incrementAndGet();
                    return null;
                  }));
      while (CommitMemory.waiting() == 0) {
        Thread.onSpinWait();
      }
      assertInstanceOf(Outcome.ItemCreated.class, small.create("b", "1").outcome());
      assertFalse(written.isDone());
      others.giveBack();
      assertInstanceOf(Outcome.ItemReplaced.class, written.join().outcome());
      assertEquals(2, evaluated.get());
    }
    takeAll();
  }

  /**
   * A small patch makes an answer as large as its item, and each partition may have one waiting.
   */
  @Test
  void nothingOfACommitWithoutRoomIsHeldWhileItWaits() throws InterruptedException {
    var evaluated = new AtomicReference<WeakReference<Bytes>>();
    try (var p = new PartitionFixture(true)) {
      p.run(new ItemTask.Create(key("a"), item(LARGE)));
      takeAll();
      CompletableFuture<PartitionAnswer> written =
          p.submit(
              new ItemTask.Merge(
                  key("a"),
                  item("{\"id\":\"1\",\"pk\":\"a\",\"n\":1}"),
                  Precondition.NONE,
                  merged -> {
                    evaluated.set(new WeakReference<>(merged.bytes()));
                    return null;
                  }));
      while (CommitMemory.waiting() == 0) {
        Thread.onSpinWait();
      }
      WeakReference<Bytes> first = Objects.requireNonNull(evaluated.get());
      while (first.get() != null) {
        System.gc();
        Thread.sleep(Duration.ofMillis(10));
      }
      others.giveBack();
      assertInstanceOf(Outcome.ItemReplaced.class, written.join().outcome());
    }
  }

  @Test
  void commitWaitsForRoomOnlyForSomeTime() {
    takeAll();
    var waits = new CommitMemory();
    assertTrue(waits.tryTake(1));
    assertFalse(waits.tryTake(1 << 20));
    assertTrue(waits.isWanted());
    assertFalse(waits.await(Duration.ofMillis(1)));
    waits.giveBack();
    others.giveBack();
    assertTrue(waits.tryTake(1 << 20));
    waits.giveBack();
  }

  /** Takes what there is. Commits give back theirs shortly after their answers. */
  private void takeAll() {
    while (!others.tryTake(Long.MAX_VALUE / 8)) {
      Thread.onSpinWait();
    }
  }
}
