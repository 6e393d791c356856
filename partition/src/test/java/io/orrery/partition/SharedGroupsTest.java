package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.ItemRule;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Refusal;
import io.orrery.operation.Ticks;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes of several clients are committed together, and each of them fails alone. */
class SharedGroupsTest {
  private static final UniqueKeys BY_NUMBER =
      new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("n")))));
  private static final ItemRule THROWING =
      item -> {
        throw new IllegalStateException("planted");
      };
  private static final ItemRule OVERFLOWING =
      item -> {
        VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
        throw new StackOverflowError("planted");
      };

  @Test
  void whatOneTaskThrowsIsToldToItsClientAlone() throws Exception {
    try (var p = fixture()) {
      p.create("a", "1");
      var stall = new Stall(p);
      var before = p.submit(create("b", "1", 10));
      var thrown = p.submit(merge("a", "1", THROWING));
      var overflown = p.submit(merge("a", "1", OVERFLOWING));
      var after = p.submit(create("c", "1", 10));
      stall.end();
      assertInstanceOf(Outcome.ItemCreated.class, before.get(30, TimeUnit.SECONDS).outcome());
      assertInstanceOf(Outcome.ItemCreated.class, after.get(30, TimeUnit.SECONDS).outcome());
      for (var failed : List.of(thrown, overflown)) {
        Throwable cause =
            assertThrows(ExecutionException.class, () -> failed.get(30, TimeUnit.SECONDS))
                .getCause();
        assertEquals("planted", cause == null ? null : cause.getMessage());
      }
      assertEquals(2, stall.commits(), "the one that stalled, and all others together");
    }
  }

  @Test
  void batchesAndTransactionsShareACommitAndEachHasOneLsn() throws Exception {
    try (var p = fixture()) {
      p.create("a", "1");
      List<Transaction> transactions = new ArrayList<>();
      List<CompletableFuture<Commit>> commits = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Transaction t = p.partition.begin(key("t" + i));
        t.execute(create("t" + i, "1", 1));
        t.execute(create("t" + i, "2", 2));
        transactions.add(t);
      }
      var stall = new Stall(p);
      var single = p.submit(create("b", "1", 1));
      var batch = p.submit(batch("c", create("c", "1", 1), create("c", "2", 2)));
      var refused = p.submit(batch("d", create("d", "1", 1), create("d", "1", 2)));
      for (Transaction t : transactions) {
        commits.add(CompletableFuture.supplyAsync(t::commit, Thread::startVirtualThread));
      }
      stall.awaitWaiting(6);
      stall.end();
      assertInstanceOf(Outcome.ItemCreated.class, single.get(30, TimeUnit.SECONDS).outcome());
      assertEquals(true, done(batch).isWhole());
      assertInstanceOf(Refusal.Conflict.class, done(refused).steps().get(1).outcome());
      for (var commit : commits) {
        assertInstanceOf(Commit.Done.class, commit.get(30, TimeUnit.SECONDS));
      }
      assertEquals(2, stall.commits());
      assertEquals(1 + 1 + 1 + 1 + 3, p.partition.lsn());
      assertEquals(1 + 1 + 2 + 6, p.partition.sizes().items());
      transactions.forEach(Transaction::close);
    }
  }

  /** Their answers hold every version, so many of them together would fill the heap. */
  @Test
  void smallChangesOfOneLargeItemAreCommittedInParts() throws Exception {
    try (var p = fixture()) {
      p.keepVersions(false); // what they keep would fill the groups
      p.create("a", "1");
      String large = json("b", "1", 1).replace("}", ",\"text\":\"" + "x".repeat(1_500_000) + "\"}");
      assertInstanceOf(
          Outcome.ItemCreated.class, p.run(new ItemTask.Create(key("b"), item(large))).outcome());
      var stall = new Stall(p);
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        answers.add(p.submit(merge("b", "1", ItemRule.NONE)));
      }
      stall.end();
      for (var answer : answers) {
        assertInstanceOf(Outcome.ItemReplaced.class, answer.get(30, TimeUnit.SECONDS).outcome());
      }
      int commits = stall.commits();
      assertTrue(commits > 4, () -> "twelve changes of 1.5 MB in " + commits + " commits");
    }
  }

  @Test
  void writesThatComputeForLongAreCommittedInParts() throws Exception {
    ItemRule computing = computing(20);
    try (var p = fixture()) {
      p.create("a", "1");
      var stall = new Stall(p);
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        answers.add(p.submit(merge("a", "1", computing)));
      }
      stall.end();
      for (var answer : answers) {
        assertInstanceOf(Outcome.ItemReplaced.class, answer.get(30, TimeUnit.SECONDS).outcome());
      }
      int commits = stall.commits();
      assertTrue(commits > 4, () -> "twelve writes of 20 ms in " + commits + " commits");
    }
  }

  /** A commit that computes for long keeps all others waiting. */
  @Test
  void aWriteThatComputesForLongIsNotFollowedByAnother() throws Exception {
    ItemRule computing = computing(40);
    try (var p = fixture()) {
      p.create("a", "1");
      var stall = new Stall(p);
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        answers.add(p.submit(merge("a", "1", computing)));
      }
      stall.end();
      for (var answer : answers) {
        assertInstanceOf(Outcome.ItemReplaced.class, answer.get(30, TimeUnit.SECONDS).outcome());
      }
      int commits = stall.commits();
      assertTrue(commits >= 6, () -> "six writes of 40 ms in " + commits + " commits");
    }
  }

  private static ItemRule computing(int millis) {
    return item -> {
      long until = ProcessorTime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (ProcessorTime.nanos() < until) {
        Thread.onSpinWait();
      }
      return null;
    };
  }

  /** What is undone must leave no trace: neither in what is stored nor for those that follow. */
  @Test
  void aSharedGroupLeavesWhatItsWritesLeaveOneByOne() throws Exception {
    long seed = System.nanoTime();
    var random = new Random(seed);
    List<ItemTask> tasks = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      tasks.add(random(random));
    }
    try (var together = fixture();
        var single = fixture()) {
      long ahead = Ticks.now() + 3_600 * Ticks.PER_SECOND;
      for (var p : List.of(together, single)) {
        p.clock(() -> ahead);
        p.keepVersions(false); // sweeps would have LSNs, at times of their own
        p.create("a", "1");
      }
      var stall = new Stall(together);
      List<CompletableFuture<PartitionAnswer>> answers = new ArrayList<>();
      tasks.forEach(task -> answers.add(together.submit(task)));
      stall.end();
      single.run(merge("a", "1", ItemRule.NONE));
      for (int i = 0; i < tasks.size(); i++) {
        var expected = single.submit(tasks.get(i));
        String hint = "seed " + seed + ", task " + i;
        if (expected.isCompletedExceptionally()
            || expected.handle((ok, fault) -> fault != null).get(30, TimeUnit.SECONDS)) {
          assertThrows(ExecutionException.class, answers.get(i)::get, hint);
        } else {
          assertEquals(expected.get(), answers.get(i).get(30, TimeUnit.SECONDS), hint);
        }
      }
      together.awaitSweep();
      single.awaitSweep();
      assertEquals(single.partition.sizes(), together.partition.sizes(), "seed " + seed);
      assertEquals(entries(single), entries(together), "seed " + seed);
    }
  }

  private static ItemTask random(Random random) {
    String pk = "p" + random.nextInt(3);
    return switch (random.nextInt(10)) {
      case 0 -> merge("a", "1", random.nextBoolean() ? THROWING : OVERFLOWING);
      case 1 -> new ItemTask.DeleteAll(key(pk));
      case 2, 3, 4 -> {
        ItemTask[] steps = new ItemTask[1 + random.nextInt(4)];
        for (int i = 0; i < steps.length; i++) {
          steps[i] = single(random, pk);
        }
        yield batch(pk, steps);
      }
      default -> single(random, pk);
    };
  }

  private static ItemTask single(Random random, String pk) {
    String id = "i" + random.nextInt(8);
    int n = random.nextInt(12);
    return switch (random.nextInt(4)) {
      case 0 -> create(pk, id, n);
      case 1 -> new ItemTask.Upsert(key(pk), item(json(pk, id, n)), Precondition.NONE);
      case 2 -> new ItemTask.Delete(key(pk), new Target.Id(id), Precondition.NONE);
      default ->
          new ItemTask.Replace(
              key(pk),
              new Target.Id(id),
              item(json(pk, "i" + random.nextInt(8), n)),
              Precondition.NONE);
    };
  }

  /** All that is stored; of the history only the keys, since its values name their commits. */
  private static Map<List<Byte>, List<Byte>> entries(PartitionFixture p) {
    Map<List<Byte>, List<Byte>> found = new HashMap<>();
    try (Snapshot snapshot = p.store.snapshot()) {
      for (Entry entry :
          snapshot.scan(Scan.forward(new byte[0], new byte[] {-1, -1}).atMost(100_000)).entries()) {
        boolean history =
            Arrays.compareUnsigned(entry.key(), Keys.historyStart()) >= 0
                && Arrays.compareUnsigned(entry.key(), Keys.historyEnd()) < 0;
        found.put(list(entry.key()), history ? List.of() : list(entry.value()));
      }
    }
    return found;
  }

  private static List<Byte> list(byte[] bytes) {
    List<Byte> list = new ArrayList<>(bytes.length);
    for (byte b : bytes) {
      list.add(b);
    }
    return list;
  }

  private static Outcome.StepsDone done(CompletableFuture<PartitionAnswer> answer)
      throws Exception {
    return assertInstanceOf(Outcome.StepsDone.class, answer.get(30, TimeUnit.SECONDS).outcome());
  }

  private static PartitionFixture fixture() {
    return new PartitionFixture(
        new CountingStore(new MemoryStorage().open(new PartitionId(7))), BY_NUMBER);
  }

  private static ItemTask create(String pk, String id, int n) {
    return new ItemTask.Create(key(pk), item(json(pk, id, n)));
  }

  private static ItemTask batch(String pk, ItemTask... steps) {
    return new ItemTask.Batch(key(pk), List.of(steps));
  }

  private static ItemTask merge(String pk, String id, ItemRule rule) {
    return new ItemTask.Merge(key(pk), item(json(pk, id, 1)), Precondition.NONE, rule);
  }

  /** Counts the commits since the writer was stalled. */
  private static final class Stall extends StalledWriter {
    private final AtomicInteger commits;
    private final int before;

    Stall(PartitionFixture p) throws InterruptedException {
      super(p, "a", "1");
      commits = ((CountingStore) p.store).commits;
      before = commits.get();
    }

    int commits() {
      return commits.get() - before;
    }
  }

  /** Counts commits. */
  private static final class CountingStore extends ForwardingStore {
    private final AtomicInteger commits = new AtomicInteger();

    CountingStore(PartitionStore store) {
      super(store);
    }

    @Override
    public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
      commits.incrementAndGet();
      return super.commit(expected, next, batch);
    }
  }
}
