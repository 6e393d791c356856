package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Etag;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes behind a writer that stalls are weighed, and refused before they fill the memory. */
class WaitingWritesTest {
  private static final long HEAP_BYTES = 256L << 20;

  @Test
  void aPartitionHoldsABoundedWeightOfWritesThatWait() throws Exception {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      p.create("a", "1");
      CountDownLatch stall = stall(p);
      long bound = memory.boundBytes(Lane.WAITING_WRITES) / 4;
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        answers.add(p.submit(new ItemTask.Create(key("a"), item(manyObjects("b" + i)))));
        assertTrue(memory.takenBytes(Lane.WAITING_WRITES) <= bound);
      }
      assertNotEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
      long refused =
          answers.stream()
              .filter(CompletableFuture::isDone)
              .map(CompletableFuture::join)
              .filter(answer -> answer.outcome() instanceof Refusal.Throttled)
              .count();
      // 300 bodies of 30 KB are 9 MB of text, but more than 200 MB of values.
      assertTrue(refused > 200 && refused < 300, refused + " were refused");
      stall.countDown();
      for (var answer : answers) {
        Outcome outcome = answer.get(60, TimeUnit.SECONDS).outcome();
        assertTrue(outcome instanceof Outcome.ItemCreated || outcome instanceof Refusal.Throttled);
      }
      p.create("a", "2");
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  @Test
  void aServerWhoseMemoryForWritesIsFullSaysSo() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      long others = memory.boundBytes(Lane.WAITING_WRITES) - 100;
      assertTrue(memory.tryTake(Lane.WAITING_WRITES, others));
      assertInstanceOf(Refusal.Unavailable.class, p.create("a", "1").outcome());
      memory.giveBack(Lane.WAITING_WRITES, others);
      assertInstanceOf(Outcome.ItemCreated.class, p.create("a", "1").outcome());
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  /** Conditions are decided before a write waits in the queue; until then it is held as well. */
  @Test
  void aWriteWhoseConditionIsDecidedIsWeighedFromItsArrival() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      p.create("a", "1");
      List<Runnable> later = new ArrayList<>();
      List<PartitionAnswer> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        p.partition.execute(conditional("b" + i), null, later::add, PartitionFixture.to(answers));
      }
      assertTrue(answers.size() > 200, answers.size() + " were refused");
      answers.forEach(answer -> assertInstanceOf(Refusal.Throttled.class, answer.outcome()));
      long bound = memory.boundBytes(Lane.WAITING_WRITES) / 4;
      assertTrue(memory.takenBytes(Lane.WAITING_WRITES) <= bound);
      int refused = answers.size();
      later.getFirst().run();
      later.removeFirst();
      assertEquals(refused + 1, answers.size());
      later.forEach(Runnable::run);
      assertEquals(300, answers.size());
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  private static ItemTask conditional(String id) {
    var set = new Patch.Set(new Patch.Path(List.of("n")), Body.json("2"));
    var patch = new Patch(List.of(set), "from c where c.n = 1");
    return new ItemTask.Batch(
        key("a"),
        List.of(
            new ItemTask.Create(key("a"), item(manyObjects(id))),
            new ItemTask.PatchOne(key("a"), new Target.Id("1"), patch, Precondition.NONE)));
  }

  /** Names, conditions and ids stand outside of the values that a patch brings. */
  @Test
  void allThatAWriteBringsIsWeighed() {
    var waiting = new WaitingWrites(Memory.ofHeap(HEAP_BYTES), "0", () -> false);
    String text = "x".repeat(100_000);
    var path = new Patch.Path(List.of("a", text, "b"));
    var plain = new Patch.Path(List.of("a"));
    var target = new Target.Id("1");
    var etag = new Precondition.EtagMatches(new Etag(text));
    for (ItemTask task :
        List.of(
            patched(target, new Patch.Remove(path), null),
            patched(target, new Patch.Move(plain, path), null),
            patched(target, new Patch.Set(path, Body.json("1")), null),
            patched(target, new Patch.Remove(plain), text),
            patched(new Target.Id(text), new Patch.Remove(plain), null),
            new ItemTask.Read(key("a"), new Target.Id(text), Precondition.NONE),
            new ItemTask.Read(key("a"), target, new Precondition.EtagDiffers(new Etag(text))),
            new ItemTask.Delete(key("a"), target, etag),
            new ItemTask.Upsert(key("a"), item(json("a", "1", 1)), etag),
            new ItemTask.Replace(
                key("a"), new Target.Id(text), item(json("a", "1", 1)), Precondition.NONE))) {
      long weight = waiting.weigh(new ItemTask.Batch(key("a"), List.of(task)));
      assertTrue(
          weight > text.length() && weight < 4L * text.length(),
          weight + " for " + task.getClass());
    }
    var names = new Patch.Path(Collections.nCopies(100, "a"));
    assertTrue(waiting.weigh(patched(target, new Patch.Remove(names), null)) > 5_000);
  }

  private static ItemTask patched(Target target, Patch.Step step, @Nullable String condition) {
    var patch = new Patch(List.of(step), condition);
    return new ItemTask.PatchOne(key("a"), target, patch, Precondition.NONE);
  }

  @Test
  void oneWriteAlwaysFindsRoom() {
    Memory memory = Memory.ofHeap(8L << 20);
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      var heavy = new ItemTask.Create(key("a"), item(manyObjects("1")));
      assertInstanceOf(Outcome.ItemCreated.class, p.run(heavy).outcome());
    }
  }

  @Test
  void halfOfTheBoundIsEnoughWhileTheStorageStalls() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long bound = memory.boundBytes(Lane.WAITING_WRITES) / 4;
    var stalled = new AtomicBoolean(true);
    var waiting = new WaitingWrites(memory, "0", stalled::get);
    assertNull(waiting.take(bound / 2));
    assertInstanceOf(Refusal.Unavailable.class, waiting.take(bound / 4));
    stalled.set(false);
    assertNull(waiting.take(bound / 4));
    stalled.set(true);
    assertInstanceOf(Refusal.Unavailable.class, waiting.take(bound / 2), "beyond the whole");
    waiting.giveBack(bound / 2);
    waiting.giveBack(bound / 4);
    assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
  }

  @Test
  void halfOfTheNumberIsEnoughWhileTheStorageStalls() {
    var stalled = new AtomicBoolean(true);
    var waiting = new WaitingWrites(Memory.ofHeap(HEAP_BYTES), "0", stalled::get);
    assertNull(waiting.take(4_999, 1));
    assertInstanceOf(Refusal.Unavailable.class, waiting.take(5_000, 1));
    assertInstanceOf(Refusal.Unavailable.class, waiting.take(10_000, 1));
    stalled.set(false);
    assertNull(waiting.take(9_999, 1));
    assertInstanceOf(Refusal.Throttled.class, waiting.take(10_000, 1));
  }

  @Test
  void aHeavyWriteFindsRoomBesideOthersAndLeavesThemSome() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    long bound = memory.boundBytes(Lane.WAITING_WRITES) / 4;
    var waiting = new WaitingWrites(memory, "0", () -> false);
    assertNull(waiting.take(bound / 4));
    assertNull(waiting.take(bound + 1), "beside others");
    assertNull(waiting.take(bound / 4), "others beside it");
    assertInstanceOf(Refusal.Throttled.class, waiting.take(bound + 1), "one heavy at a time");
    waiting.giveBack(bound + 1);
    assertNull(waiting.take(bound + 1));
    waiting.giveBack(bound + 1);
    waiting.giveBack(bound / 4);
    waiting.giveBack(bound / 4);
    assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
  }

  @Test
  void aThreadThatCannotBeStartedLeavesNothingDrawn() {
    Memory memory = Memory.ofHeap(HEAP_BYTES);
    try (var p = new PartitionFixture(true)) {
      p.reopen(memory);
      assertThrows(
          OutOfMemoryError.class,
          () ->
              p.partition.execute(
                  conditional("1"),
                  null,
                  work -> {
                    throw new OutOfMemoryError("unable to create native thread");
                  },
                  PartitionFixture.to(new ArrayList<>())));
      assertEquals(0, memory.takenBytes(Lane.WAITING_WRITES));
    }
  }

  /** Keeps the writer busy until it is told to go on. */
  @SuppressWarnings("FutureReturnValueIgnored") // what it answers does not matter
  private static CountDownLatch stall(PartitionFixture p) throws InterruptedException {
    var begun = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    p.submit(
        new ItemTask.Merge(
            key("a"),
            item(json("a", "1", 1)),
            Precondition.NONE,
            item -> {
              begun.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return null;
            }));
    begun.await();
    return over;
  }

  private static String manyObjects(String id) {
    return "{\"id\":\"" + id + "\",\"pk\":\"a\",\"l\":[" + "{},".repeat(10_000) + "0]}";
  }
}
