package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.KeyComponent;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.StoredItem;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.PartitionId;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transactions, single writes and batches at the same time. Afterwards everything that was
 * committed is done again in a map, in the order of LSNs: each transaction must have read the state
 * of its snapshot and its own writes, and nobody may have written in between what it wrote.
 */
class TransactionPropertyTest {
  private static final int THREADS = 6;
  private static final int ROUNDS = 120;
  private static final List<String> KEYS = List.of("a", "b");
  private static final int IDS = 6;

  /** What a committed transaction did: values by id, null where the item was deleted. */
  private record Effect(String pk, Map<String, @Nullable Integer> writes) {}

  /** What a transaction saw on the way, and where it stood. */
  private record Seen(
      long snapshot, long commit, Effect effect, Map<String, @Nullable Integer> reads) {}

  private final Map<Long, Effect> byLsn = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Seen> transactions = new ConcurrentLinkedQueue<>();

  @Test
  void inMemory() throws Exception {
    try (var p = new PartitionFixture(true)) {
      check(p);
    }
  }

  @Test
  void inMemoryWhereReadsDoNotRepeat() throws Exception {
    try (var p = new PartitionFixture(false)) {
      check(p);
    }
  }

  @Test
  void onRocks(@TempDir Path directory) throws Exception {
    try (var storage = RocksStorage.open(RocksConfig.in(directory));
        var p = new PartitionFixture(storage.open(new PartitionId(7)), UniqueKeys.NONE)) {
      check(p);
    }
  }

  private void check(PartitionFixture p) throws Exception {
    long seed = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        var random = new Random(seed + i);
        running.add(threads.submit(() -> work(p, random)));
      }
    }
    for (Future<?> done : running) {
      done.get();
    }
    String hint = "seed " + seed;
    assertEquals(byLsn.size(), p.partition.lsn(), hint);
    assertTrue(transactions.size() > THREADS, hint);
    verify(p, hint);
  }

  /** Does everything again, and compares. */
  private void verify(PartitionFixture p, String hint) {
    var states = new TreeMap<Long, Map<String, Integer>>();
    Map<String, Integer> state = Map.of();
    states.put(0L, state);
    for (long lsn = 1; lsn <= p.partition.lsn(); lsn++) {
      var next = new HashMap<>(state);
      Effect effect = Objects.requireNonNull(byLsn.get(lsn), hint);
      effect.writes.forEach((id, n) -> set(next, effect.pk + id, n));
      state = next;
      states.put(lsn, state);
    }
    for (String pk : KEYS) {
      for (int i = 0; i < IDS; i++) {
        assertEquals(
            state.get(pk + i),
            p.read(pk, "" + i).outcome() instanceof Outcome.ItemRead(var found)
                ? number(pk, "" + i, found)
                : null,
            hint);
      }
    }
    for (Seen seen : transactions) {
      Map<String, Integer> then = Objects.requireNonNull(states.get(seen.snapshot), hint);
      seen.reads.forEach(
          (id, n) -> assertEquals(then.get(seen.effect.pk + id), n, hint + " " + seen));
      for (long between = seen.snapshot + 1; between < seen.commit; between++) {
        Effect other = Objects.requireNonNull(byLsn.get(between));
        for (String id : seen.effect.writes.keySet()) {
          boolean touched = other.pk.equals(seen.effect.pk) && other.writes.containsKey(id);
          // Something may have come and gone where nothing was.
          assertTrue(!touched || then.get(other.pk + id) == null, hint + " " + seen);
        }
      }
    }
  }

  private static void set(Map<String, Integer> state, String name, @Nullable Integer n) {
    if (n == null) {
      state.remove(name);
    } else {
      state.put(name, n);
    }
  }

  private void work(PartitionFixture p, Random random) {
    for (int round = 0; round < ROUNDS; round++) {
      String pk = KEYS.get(random.nextInt(KEYS.size()));
      switch (random.nextInt(6)) {
        case 0 -> single(p, pk, random);
        case 1 -> batch(p, pk, random);
        default -> transaction(p, pk, random);
      }
    }
  }

  private void committed(long lsn, Effect effect) {
    assertNull(byLsn.put(lsn, effect));
  }

  private void single(PartitionFixture p, String pk, Random random) {
    String id = "" + random.nextInt(IDS);
    if (random.nextBoolean()) {
      int n = random.nextInt();
      PartitionAnswer answer = p.run(upsert(pk, id, n));
      committed(answer.lsn(), new Effect(pk, Map.of(id, n)));
    } else {
      PartitionAnswer answer = p.run(delete(pk, id));
      if (answer.outcome() instanceof Outcome.ItemDeleted) {
        committed(answer.lsn(), new Effect(pk, deleted(id)));
      }
    }
  }

  private void batch(PartitionFixture p, String pk, Random random) {
    Map<String, Integer> writes = new HashMap<>();
    List<ItemTask> steps = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String id = "" + random.nextInt(IDS);
      int n = random.nextInt();
      writes.put(id, n);
      steps.add(upsert(pk, id, n));
    }
    // Often taken: then the upserts before it, and the numbers they drew, must leave no trace.
    String fresh = "" + random.nextInt(IDS);
    int n = random.nextInt();
    steps.add(create(pk, fresh, n));
    PartitionAnswer answer = p.run(new ItemTask.Batch(key(pk), steps));
    List<Outcome.Step> done = assertInstanceOf(Outcome.StepsDone.class, answer.outcome()).steps();
    if (done.getLast().outcome() instanceof Outcome.ItemCreated) {
      writes.put(fresh, n);
      committed(answer.lsn(), new Effect(pk, writes));
    }
  }

  private void transaction(PartitionFixture p, String pk, Random random) {
    boolean alone = random.nextInt(4) == 0;
    try (Transaction t = alone ? p.partition.beginAlone(key(pk)) : p.partition.begin(key(pk))) {
      Map<String, @Nullable Integer> reads = new HashMap<>();
      Map<String, @Nullable Integer> writes = new HashMap<>();
      int steps = 1 + random.nextInt(4);
      for (int i = 0; i < steps; i++) {
        String id = "" + random.nextInt(IDS);
        switch (random.nextInt(5)) {
          case 0 -> query(p, t, reads, writes);
          case 4 -> {
            int n = random.nextInt();
            if (t.execute(create(pk, id, n)).outcome() instanceof Outcome.ItemCreated) {
              writes.put(id, n);
            }
          }
          case 1 -> read(t, id, reads, writes);
          case 2 -> {
            int n = random.nextInt();
            assertInstanceOf(Outcome.Success.class, t.execute(upsert(pk, id, n)).outcome());
            writes.put(id, n);
          }
          default -> {
            if (t.execute(delete(pk, id)).outcome() instanceof Outcome.ItemDeleted) {
              writes.put(id, null);
            }
          }
        }
      }
      long snapshot = t.lsn();
      long lsn = assertInstanceOf(Commit.Done.class, t.commit()).lsn();
      var effect = new Effect(pk, writes);
      if (!writes.isEmpty()) {
        committed(lsn, effect);
      }
      transactions.add(new Seen(snapshot, lsn, effect, reads));
    } catch (TransactionStale e) {
      assertTrue(!alone, "met others although alone");
    }
  }

  private static void read(
      Transaction t,
      String id,
      Map<String, @Nullable Integer> reads,
      Map<String, @Nullable Integer> writes) {
    Outcome outcome =
        t.execute(new ItemTask.Read(t.key(), new Target.Id(id), Precondition.NONE)).outcome();
    String pk = ((KeyComponent.Text) t.key().key().components().getFirst()).value();
    saw(
        id,
        outcome instanceof Outcome.ItemRead(var found) ? number(pk, id, found) : null,
        reads,
        writes);
  }

  private static void query(
      PartitionFixture p,
      Transaction t,
      Map<String, @Nullable Integer> reads,
      Map<String, @Nullable Integer> writes) {
    Map<String, Integer> found = new HashMap<>();
    new QueryFixture(p, t)
        .drain("SELECT VALUE [c.id, c.n] FROM c", new FeedSlice.OneKey(t.key()), 2, 4 << 20)
        .rows()
        .forEach(
            row -> {
              var pair = (Value.Arr) Json.parse(row.getBytes(StandardCharsets.UTF_8));
              found.put(
                  ((Value.Text) pair.items().get(0)).value(),
                  (int) ((Value.Int64) pair.items().get(1)).value());
            });
    for (int i = 0; i < IDS; i++) {
      saw("" + i, found.get("" + i), reads, writes);
    }
  }

  /** What it has written itself it must see; the rest is held against the snapshot later. */
  private static void saw(
      String id,
      @Nullable Integer n,
      Map<String, @Nullable Integer> reads,
      Map<String, @Nullable Integer> writes) {
    if (writes.containsKey(id)) {
      assertEquals(writes.get(id), n);
    } else {
      reads.put(id, n);
    }
  }

  private static Map<String, @Nullable Integer> deleted(String id) {
    Map<String, @Nullable Integer> writes = new HashMap<>();
    writes.put(id, null);
    return writes;
  }

  private static ItemTask upsert(String pk, String id, int n) {
    return new ItemTask.Upsert(key(pk), item(json(pk, id, n)), Precondition.NONE);
  }

  private static ItemTask create(String pk, String id, int n) {
    return new ItemTask.Create(key(pk), item(json(pk, id, n)));
  }

  private static ItemTask delete(String pk, String id) {
    return new ItemTask.Delete(key(pk), new Target.Id(id), Precondition.NONE);
  }

  /** The number of the item, which must be the one that was asked for. */
  private static int number(String pk, String id, StoredItem item) {
    var content = (Value.Obj) Json.parse(item.body().bytes().array());
    assertEquals(Value.of(id), content.members().get("id"));
    assertEquals(Value.of(pk), content.members().get("pk"));
    return (int) ((Value.Int64) Objects.requireNonNull(content.members().get("n"))).value();
  }
}
