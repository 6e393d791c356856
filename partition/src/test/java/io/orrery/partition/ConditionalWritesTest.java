package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions of patches are decided beside the writer, and hold when the patch is committed. */
class ConditionalWritesTest {
  private static final int LIMIT = 40;

  /** 40,000 combinations: far more than the price of an item covers. */
  private static final String COMBINING =
      "from c where (select value count(1) from x in c.l join y in c.l where x + y < 0)";

  /** Some hours of work, if nothing ended it. */
  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void aConditionThatTakesTooLongIsRefusedAndKeepsNoOtherWriteWaiting() throws Exception {
    try (var p = new PartitionFixture(true)) {
      var numbers = new ArrayList<String>();
      for (int i = 0; i < 200; i++) {
        numbers.add("" + i);
      }
      String body = "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"l\":[" + String.join(",", numbers) + "]}";
      p.run(new ItemTask.Create(key("a"), item(body)));
      String endless =
          "from c where (select value count(1) from x in c.l join y in c.l join z in c.l"
              + " join w in c.l where x + y + z + w < 0) > 0";
      var running = new CompletableFuture<PartitionAnswer>();
      Thread.startVirtualThread(() -> running.complete(p.run(increment("1", endless))));
      assertInstanceOf(Outcome.ItemCreated.class, p.create("b", "1").outcome());
      Refusal refused = assertInstanceOf(Refusal.class, running.get().outcome());
      // The budget of time, or the bound on what one item may be joined to.
      assertTrue(
          refused instanceof Refusal.TimedOut || refused instanceof Refusal.BadQuery,
          refused.toString());
      assertEquals(2, p.partition.lsn());
    }
  }

  @Test
  void aConditionOverMoreThanTheItemIsRefused() {
    try (var p = new PartitionFixture(true)) {
      p.create("a", "1");
      for (String condition :
          List.of(
              "FROM (SELECT DISTINCT VALUE c.id FROM c) x WHERE x = '1'",
              "FROM (SELECT VALUE COUNT(1) FROM c) x WHERE x = 1")) {
        assertInstanceOf(
            Refusal.BadQuery.class, p.run(increment("1", condition)).outcome(), condition);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConditionHoldsForTheVersionThatIsPatched(boolean repeatable) throws Exception {
    try (var p = new PartitionFixture(repeatable)) {
      p.run(new ItemTask.Create(key("a"), item(json("a", "1", 0))));
      var met = new AtomicInteger();
      List<Future<?>> running = new ArrayList<>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 6; i++) {
          running.add(
              threads.submit(
                  () -> {
                    Outcome outcome;
                    do {
                      outcome = p.run(increment("1", "from c where c.n < " + LIMIT)).outcome();
                      if (outcome instanceof Outcome.ItemReplaced) {
                        met.incrementAndGet();
                      }
                    } while (!(outcome instanceof Refusal.ConditionNotMet));
                  }));
        }
      }
      for (Future<?> done : running) {
        done.get();
      }
      assertEquals(LIMIT, met.get());
      assertEquals(json("a", "1", LIMIT), p.readItem("a", "1").body().bytes().utf8());
      assertEquals(1 + LIMIT, p.partition.lsn());
    }
  }

  /** Another write comes before each attempt is committed, unless it has to wait for it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void afterThreeLossesItHasItsKeyForItself(boolean batch) {
    Thread reader = Thread.currentThread();
    var write = new Runnable[] {() -> {}};
    Runnable read =
        () -> {
          if (Thread.currentThread().equals(reader)) {
            write[0].run();
          }
        };
    try (var p = new PartitionFixture(store -> new MovingStore(store, read))) {
      p.create("a", "1");
      var others = new ArrayList<CompletableFuture<PartitionAnswer>>();
      write[0] =
          () -> {
            var upsert =
                new ItemTask.Upsert(
                    key("a"), item(json("a", "1", 10 * others.size())), Precondition.NONE);
            others.add(p.submit(upsert));
            p.create("b", "" + others.size()); // once that is there, the other is, or it waits
          };
      ItemTask patch = increment("1", "from c where c.n >= 0");
      ItemTask task = batch ? new ItemTask.Batch(key("a"), List.of(patch)) : patch;
      Outcome outcome = p.run(task).outcome();
      write[0] = () -> {};
      if (batch) {
        assertTrue(assertInstanceOf(Outcome.StepsDone.class, outcome).isWhole());
      } else {
        assertInstanceOf(Outcome.ItemReplaced.class, outcome);
      }
      assertTrue(others.size() > 3, "it lost three times: " + others.size());
      others.forEach(other -> assertInstanceOf(Outcome.ItemReplaced.class, other.join().outcome()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBatchSeesItsOwnWritesInItsConditions(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      var create = new ItemTask.Create(key("a"), item(json("a", "1", 7)));
      PartitionAnswer answer =
          p.run(
              new ItemTask.Batch(
                  key("a"), List.of(create, increment("1", "from c where c.n = 7"))));
      List<Outcome.Step> steps =
          assertInstanceOf(Outcome.StepsDone.class, answer.outcome()).steps();
      assertEquals(
          p.readItem("a", "1"),
          assertInstanceOf(Outcome.ItemReplaced.class, steps.get(1).outcome()).item());
      assertEquals(1, answer.lsn());
      assertEquals(json("a", "1", 8), p.readItem("a", "1").body().bytes().utf8());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConditionThatIsNotMetUndoesItsBatch(boolean repeatable) {
    try (var p = new PartitionFixture(repeatable)) {
      var create = new ItemTask.Create(key("a"), item(json("a", "1", 7)));
      PartitionAnswer answer =
          p.run(
              new ItemTask.Batch(
                  key("a"), List.of(create, increment("1", "from c where c.n = 8"))));
      List<Outcome.Step> steps =
          assertInstanceOf(Outcome.StepsDone.class, answer.outcome()).steps();
      assertInstanceOf(Refusal.FailedDependency.class, steps.get(0).outcome());
      assertInstanceOf(Refusal.ConditionNotMet.class, steps.get(1).outcome());
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "1").outcome());
      assertEquals(0, p.partition.lsn());
    }
  }

  @Test
  void conditionsAreChargedByTheirSteps() {
    try (var p = new PartitionFixture(true)) {
      createList(p);
      double usual = p.run(increment("1", "from c where c.n >= 0")).charge().units();
      PartitionAnswer met = p.run(increment("1", COMBINING + " = 0"));
      assertInstanceOf(Outcome.ItemReplaced.class, met.outcome());
      assertTrue(met.charge().units() > usual + 3, met.charge() + " instead of " + usual);
      PartitionAnswer notMet = p.run(increment("1", COMBINING + " = 1"));
      assertInstanceOf(Refusal.ConditionNotMet.class, notMet.outcome());
      assertTrue(notMet.charge().units() > 1 + 3, notMet.charge().toString());
      ItemTask step = increment("1", COMBINING + " = 0");
      PartitionAnswer batch = p.run(new ItemTask.Batch(key("a"), List.of(step, step)));
      assertTrue(batch.charge().units() > 2 * (usual + 3), batch.charge().toString());
    }
  }

  @Test
  void aConditionThatIsRefusedIsChargedForWhatItDid() {
    try (var p = new PartitionFixture(true)) {
      createList(p);
      // More combinations than one item may have, or more than a second computes.
      String endless = COMBINING.replace("where x", "join z in c.l join w in c.l where x") + " = 0";
      PartitionAnswer refused = p.run(increment("1", endless));
      assertInstanceOf(Refusal.class, refused.outcome());
      assertTrue(refused.charge().units() > 20, refused.charge().toString());
      String padded = "from c where c.n < 0 " + "and c.n < 0 ".repeat(2_000);
      PartitionAnswer text = p.run(increment("1", padded));
      assertInstanceOf(Refusal.ConditionNotMet.class, text.outcome());
      assertTrue(text.charge().units() > 1 + 3, text.charge().toString());
    }
  }

  @Test
  void conditionsEndWhenTheirClientHasGone() {
    try (var p = new PartitionFixture(true)) {
      createList(p);
      long before = p.partition.lsn();
      ItemTask step = increment("1", COMBINING + " = 0");
      for (ItemTask task : List.of(step, new ItemTask.Batch(key("a"), List.of(step)))) {
        var ended = new CompletableFuture<PartitionAnswer>();
        p.partition.execute(
            task,
            new PartitionReply() {
              @Override
              public void answer(PartitionAnswer answer) {
                ended.complete(answer);
              }

              @Override
              public void moved() {
                ended.completeExceptionally(new PartitionMoved());
              }

              @Override
              public void fault(Throwable fault) {
                ended.completeExceptionally(fault);
              }

              @Override
              public boolean isCancelled() {
                return true;
              }
            });
        Outcome outcome = ended.join().outcome();
        assertTrue(
            outcome instanceof Refusal.TimedOut
                || (outcome instanceof Outcome.StepsDone steps && !steps.isWhole()),
            outcome.toString());
      }
      assertEquals(before, p.partition.lsn());
    }
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void aKeyWithManyWaitingLeavesTurnsToOthers() throws Exception {
    var open = new CountDownLatch(1);
    Runnable read =
        () -> {
          if (Thread.currentThread().getName().equals("busy")) {
            await(open);
          }
        };
    var busy = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("busy").factory());
    try (var p = new PartitionFixture(store -> new MovingStore(store, read));
        busy) {
      p.create("a", "1");
      p.create("b", "1");
      for (int i = 0; i < 20; i++) {
        busy.execute(() -> p.run(increment("1", "from c where c.n > 0")));
      }
      try {
        while (p.partition.waitingConditions() < 20 - 8) {
          Thread.onSpinWait();
        }
        PartitionAnswer other = p.run(increment("b", "1", "from c where c.n > 0"));
        assertInstanceOf(Outcome.ItemReplaced.class, other.outcome());
      } finally {
        open.countDown();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void createList(PartitionFixture p) {
    String numbers = IntStream.range(0, 200).mapToObj(Integer::toString).collect(joining(","));
    p.run(
        new ItemTask.Create(
            key("a"), item("{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"l\":[" + numbers + "]}")));
  }

  private static ItemTask increment(String id, String condition) {
    return increment("a", id, condition);
  }

  private static ItemTask increment(String pk, String id, String condition) {
    List<Patch.Step> steps =
        List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1")));
    return new ItemTask.PatchOne(
        key(pk), new Target.Id(id), new Patch(steps, condition), Precondition.NONE);
  }
}
