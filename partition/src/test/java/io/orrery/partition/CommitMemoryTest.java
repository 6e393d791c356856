package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Bytes;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
  private final List<CommitMemory> reserved = new ArrayList<>();

  @AfterEach
  void end() {
    giveAllBack();
  }

  private void giveAllBack() {
    others.giveBack();
    reserved.forEach(CommitMemory::giveBack);
    reserved.clear();
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

  @Test
  void groupsOfSmallWritesFindTheRoomThatLargeOnesLeave() throws InterruptedException {
    long part = Runtime.getRuntime().maxMemory() / 4 / 5; // three fifths with its copies
    assertTrue(others.tryTake(part));
    var second = new CommitMemory();
    assertFalse(second.tryTake(part));
    Thread waits = Thread.ofVirtual().start(() -> second.await(Duration.ofSeconds(20)));
    while (CommitMemory.waiting() == 0) {
      Thread.onSpinWait();
    }
    var group = new CommitMemory();
    boolean found = group.tryTake(100 << 10);
    group.giveBack();
    others.giveBack();
    waits.join();
    second.giveBack();
    assertTrue(found);
  }

  @Test
  void smallWriteDoesNotWaitForTheLargeOneBehindIt() throws Exception {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "2");
      var busy = new StalledWriter(p, "a", "2");
      var small = p.submit(new ItemTask.Create(key("b"), item(json("b", "2", 1))));
      var large = p.submit(new ItemTask.Create(key("a"), item(LARGE)));
      busy.awaitWaiting(2);
      takeAll();
      busy.end();
      assertInstanceOf(Outcome.ItemCreated.class, small.get(10, TimeUnit.SECONDS).outcome());
      assertFalse(large.isDone());
      giveAllBack();
      assertInstanceOf(Outcome.ItemCreated.class, large.join().outcome());
    }
  }

  /** Each of them alone always finds room. */
  @Test
  void smallWritesThatAreLargeTogetherAreCommittedInParts() throws Exception {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "1");
      var busy = new StalledWriter(p, "a", "1");
      List<CompletableFuture<PartitionAnswer>> small = new ArrayList<>();
      String text = "x".repeat(2_048);
      for (int i = 0; i < 60; i++) {
        String json = "{\"id\":\"" + i + "\",\"pk\":\"b\",\"t\":\"" + text + "\"}";
        small.add(p.submit(new ItemTask.Create(key("b"), item(json))));
      }
      busy.awaitWaiting(60);
      takeAll();
      takeReserved();
      busy.end();
      for (var each : small) {
        assertInstanceOf(Outcome.ItemCreated.class, each.get(10, TimeUnit.SECONDS).outcome());
      }
      assertEquals(1 + 1 + 60, p.partition.lsn());
      assertEquals(61, p.partition.sizes().items());
      p.partition.close();
      assertEquals(List.of(), Audit.of(p.store, p.settings()).faults());
    }
  }

  @Test
  void writesThatFindNoRoomInTimeAreRefusedAlone() throws Exception {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "2");
      var busy = new StalledWriter(p, "a", "2");
      var first = p.submit(new ItemTask.Create(key("a"), item(LARGE)));
      var between = p.submit(new ItemTask.Create(key("b"), item(json("b", "2", 1))));
      var second = p.submit(new ItemTask.Upsert(key("a"), item(LARGE), Precondition.NONE));
      var last = p.submit(new ItemTask.Create(key("b"), item(json("b", "3", 1))));
      busy.awaitWaiting(4);
      takeAll();
      busy.end();
      for (var small : List.of(between, last)) {
        assertInstanceOf(Outcome.ItemCreated.class, small.get(60, TimeUnit.SECONDS).outcome());
      }
      for (var large : List.of(first, second)) {
        assertInstanceOf(Refusal.Unavailable.class, large.join().outcome());
      }
      assertEquals(0, CommitMemory.waiting());
    }
  }

  /** Takes what small commits have for themselves. */
  private void takeReserved() {
    for (int kilobytes : List.of(511, 65)) {
      var next = new CommitMemory();
      while (next.tryTake((long) kilobytes << 10)) {
        reserved.add(next);
        next = new CommitMemory();
      }
    }
  }

  /** Takes what there is for large ones. Commits give back theirs shortly after their answers. */
  private void takeAll() {
    while (!others.tryTake(Long.MAX_VALUE / 8)) {
      Thread.onSpinWait();
    }
  }
}
