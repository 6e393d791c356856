package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.value.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What conditional patches read and build is drawn from the account before. */
@Timeout(120)
class ConditionMemoryTest {
  private static final long HEAP_BYTES = 256L << 20;
  private static final int LARGE_BYTES = 1 << 20;

  private final Memory memory = Memory.ofHeap(HEAP_BYTES);

  @Test
  void aConditionOnALargeItemWaitsForMemoryOfQueries() {
    try (var p = large()) {
      long others = memory.boundBytes(Lane.QUERY) - LARGE_BYTES;
      assertTrue(memory.tryTake(Lane.QUERY, others));
      assertInstanceOf(Refusal.Unavailable.class, p.run(increment("1")).outcome());
      memory.giveBack(Lane.QUERY, others);
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(increment("1")).outcome());
      assertEquals(0, memory.takenBytes(Lane.QUERY));
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  /** Parsed, the item would take 30 times its text. */
  @Test
  void aConditionReadsTheTextOfTheItem() {
    try (var p = large()) {
      long others = memory.boundBytes(Lane.QUERY) - 5 * LARGE_BYTES;
      assertTrue(memory.tryTake(Lane.QUERY, others));
      assertInstanceOf(Outcome.ItemReplaced.class, p.run(increment("1")).outcome());
      assertEquals(others, memory.takenBytes(Lane.QUERY));
    }
  }

  /** Later steps see what earlier ones wrote, so that the items of a batch are parsed. */
  @Test
  void aConditionalBatchDrawsWhatItParsesAndKeeps() {
    try (var p = large()) {
      var batch = new ItemTask.Batch(key("a"), List.of(increment("1"), increment("1")));
      long others = memory.boundBytes(Lane.QUERY) - 5 * LARGE_BYTES;
      assertTrue(memory.tryTake(Lane.QUERY, others));
      var steps = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertInstanceOf(Refusal.Unavailable.class, steps.getFirst().outcome());
      memory.giveBack(Lane.QUERY, others);
      steps = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertInstanceOf(Outcome.ItemReplaced.class, steps.getLast().outcome());
      assertEquals(0, memory.takenBytes(Lane.QUERY));
    }
  }

  /** Records begin with numbers: one that looks like a quote must not make a text of the item. */
  @Test
  void whatStandsBeforeAnItemDoesNotMakeItLight() {
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      for (int lsn = 1; lsn < '"'; lsn++) {
        p.create("b", "" + lsn);
      }
      p.run(new ItemTask.Create(key("a"), item(text("1"))));
      assertEquals('"', p.partition.lsn());
      var batch = new ItemTask.Batch(key("a"), List.of(increment("1")));
      long others = memory.boundBytes(Lane.QUERY) - 5 * LARGE_BYTES;
      assertTrue(memory.tryTake(Lane.QUERY, others));
      var steps = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertInstanceOf(Refusal.Unavailable.class, steps.getFirst().outcome());
    }
  }

  /** Otherwise nobody could ever change such an item by a conditional batch. */
  @Test
  void aChangeThatWeighsMoreThanAllMemoryFindsRoomWhereNobodyElseIs() {
    var small = Memory.ofHeap(HEAP_BYTES / 4);
    try (var p = large()) {
      assertTrue(Weight.ofText(text("1").getBytes(UTF_8)) > small.boundBytes(Lane.QUERY));
      p.reopen(small);
      var batch = new ItemTask.Batch(key("a"), List.of(increment("1")));
      var steps = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertInstanceOf(Outcome.ItemReplaced.class, steps.getLast().outcome());
      assertEquals(0, small.takenBytes(Lane.QUERY));
    }
  }

  /** Each of the items fits; until the commit the batch holds all of them. */
  @Test
  void aConditionalBatchHoldsTheMemoryOfWhatItHasWritten() {
    try (var p = large()) {
      p.create("a", "2");
      List<ItemTask> steps = new ArrayList<>(List.of(increment("2")));
      String text = ",\"t\":\"" + "x".repeat(LARGE_BYTES) + "\"}";
      for (int i = 0; i < 8; i++) {
        String json = PartitionFixture.json("a", "new" + i, i).replace("}", text);
        steps.add(new ItemTask.Create(key("a"), item(json)));
      }
      var batch = new ItemTask.Batch(key("a"), steps);
      long others = memory.boundBytes(Lane.QUERY) - 6 * LARGE_BYTES;
      assertTrue(memory.tryTake(Lane.QUERY, others));
      var done = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertTrue(
          done.stream().anyMatch(step -> step.outcome() instanceof Refusal.Unavailable),
          done::toString);
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "new0").outcome());
      memory.giveBack(Lane.QUERY, others);
      done = assertInstanceOf(Outcome.StepsDone.class, p.run(batch).outcome()).steps();
      assertInstanceOf(Outcome.ItemCreated.class, done.getLast().outcome());
      assertEquals(0, memory.takenBytes(Lane.QUERY));
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  @Test
  void aTransactionHoldsTheMemoryOfWhatItHasWritten() {
    try (var p = large()) {
      try (Transaction t = p.partition.begin(key("a"))) {
        t.execute(new ItemTask.Create(key("a"), item(text("2"))));
        assertTrue(memory.takenBytes(Lane.QUERY) > LARGE_BYTES);
        long others = memory.boundBytes(Lane.QUERY) - memory.takenBytes(Lane.QUERY);
        assertTrue(memory.tryTake(Lane.QUERY, others));
        PartitionAnswer refused = t.execute(new ItemTask.Create(key("a"), item(text("3"))));
        assertInstanceOf(Refusal.Unavailable.class, refused.outcome());
        memory.giveBack(Lane.QUERY, others);
        t.execute(new ItemTask.Create(key("a"), item(text("4"))));
        assertInstanceOf(Commit.Done.class, t.commit());
      }
      assertEquals(0, memory.takenBytes(Lane.QUERY));
      assertInstanceOf(Refusal.NotFound.class, p.read("a", "3").outcome());
      assertInstanceOf(Outcome.ItemRead.class, p.read("a", "4").outcome());
    }
  }

  /** Each step keeps the item that it brought, also where the next one takes its place. */
  @Test
  void aTransactionHoldsTheMemoryOfEachOfItsSteps() {
    try (var p = large()) {
      try (Transaction t = p.partition.begin(key("a"))) {
        Outcome outcome;
        int steps = 0;
        do {
          var upsert = new ItemTask.Upsert(key("a"), item(text("1")), Precondition.NONE);
          outcome = t.execute(upsert).outcome();
          steps++;
        } while (outcome instanceof Outcome.ItemReplaced && steps < 20);
        assertInstanceOf(Refusal.Unavailable.class, outcome, steps + " steps");
      }
      assertEquals(0, memory.takenBytes(Lane.QUERY));
    }
  }

  @Test
  void fewConditionsOfAPartitionAreDecidedAtOnce() throws Exception {
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var open = new CountDownLatch(1);
    var first = new CountDownLatch(1);
    Runnable read =
        () -> {
          if (Thread.currentThread().getName().equals("condition")) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            first.countDown();
            await(open);
            inside.decrementAndGet();
          }
        };
    try (var p = new PartitionFixture(store -> new MovingStore(store, read));
        var threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("condition").factory())) {
      p.create("a", "1");
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(CompletableFuture.supplyAsync(() -> p.run(increment("1", "from c")), threads));
      }
      first.await();
      while (p.partition.waitingConditions() < 100 - 8) {
        Thread.onSpinWait();
      }
      open.countDown();
      for (var answer : answers) {
        answer.get(60, TimeUnit.SECONDS);
      }
      assertTrue(most.get() <= 8, most + " at once");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private PartitionFixture large() {
    var p = new PartitionFixture(true);
    p.reopen(memory);
    p.run(new ItemTask.Create(key("a"), item(text("1"))));
    return p;
  }

  private static String text(String id) {
    String members = ",{}".repeat(LARGE_BYTES / 3);
    return "{\"id\":\"" + id + "\",\"pk\":\"a\",\"n\":1,\"l\":[0" + members + "]}";
  }

  private static ItemTask increment(String id) {
    return increment(id, "from c where c.n > 0");
  }

  private static ItemTask increment(String id, String condition) {
    List<Patch.Step> steps =
        List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1")));
    return new ItemTask.PatchOne(
        key("a"), new Target.Id(id), new Patch(steps, condition), Precondition.NONE);
  }
}
