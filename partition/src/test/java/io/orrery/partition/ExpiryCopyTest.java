package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Precondition;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that expire, and history that was trimmed, in partitions that were split and merged. */
class ExpiryCopyTest {
  private static final int TTL_SECONDS = 100;
  private static final List<String> KEYS = IntStream.range(0, 12).mapToObj(i -> "p" + i).toList();

  private final MemoryStorage storage = new MemoryStorage();

  /** The start of a second not yet begun: a fixture is made in it or before it, never after. */
  private final AtomicLong now =
      new AtomicLong((Ticks.now() / Ticks.PER_SECOND + 1) * Ticks.PER_SECOND);

  private void pass(long seconds) {
    now.addAndGet(seconds * Ticks.PER_SECOND);
  }

  private PartitionFixture source() {
    var p = new PartitionFixture(true);
    p.clock(now::get);
    p.timeToLive(new TimeToLive(TTL_SECONDS));
    return p;
  }

  private static void put(PartitionFixture p, String id, String more) {
    for (String pk : KEYS) {
      p.run(
          new ItemTask.Upsert(
              key(pk),
              item("{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\"" + more + "}"),
              Precondition.NONE));
    }
  }

  private static EffectivePartitionKey cut(PartitionFixture p) {
    return Objects.requireNonNull(SplitPoint.byData(p.store));
  }

  private static EpkRange below(EffectivePartitionKey cut) {
    return new EpkRange(EffectivePartitionKey.MIN, cut);
  }

  private static EpkRange above(EffectivePartitionKey cut) {
    return new EpkRange(cut, EffectivePartitionKey.MAX);
  }

  private PartitionCopy copy(PartitionFixture like, int to) {
    return new PartitionCopy(storage.open(new PartitionId(to)), like.settings(10 + to));
  }

  /** Splits what the fixture holds, writing meanwhile, into partitions 1 and 2. */
  private List<PartitionStore> split(
      PartitionFixture p, EffectivePartitionKey cut, Runnable meanwhile) {
    p.partition.pauseUpkeep();
    List<PartitionCopy> copies =
        List.of(copy(p, 1).from(p.store, below(cut)), copy(p, 2).from(p.store, above(cut)));
    copies.forEach(copy -> copy.load(() -> {}));
    meanwhile.run();
    var _ = p.partition.seal();
    copies.forEach(PartitionCopy::catchUp);
    return List.of(storage.open(new PartitionId(1)), storage.open(new PartitionId(2)));
  }

  /** Makes the two halves one again, as partition 3. */
  private PartitionStore merged(
      PartitionFixture like, EffectivePartitionKey cut, List<PartitionStore> halves) {
    var copy = copy(like, 3).from(halves.getFirst(), below(cut)).from(halves.getLast(), above(cut));
    copy.load(() -> {});
    var _ = copy.catchUp();
    return storage.open(new PartitionId(3));
  }

  private static Partition open(PartitionFixture like, PartitionStore store) {
    return Partition.open(
        store,
        like.settings(10 + store.id().value()),
        new CounterHints(1 << 20),
        () -> {},
        Tenure.SOLE);
  }

  private static int shown(Partition partition) {
    return partition
        .readFeed(new FeedTask(new FeedSlice.Range(EpkRange.ALL), 0, 10_000, 4 << 20))
        .items()
        .size();
  }

  private static List<Change> versions(Partition partition, EpkRange range, long after) {
    return partition
        .readChanges(
            new ChangeTask(
                new FeedSlice.Range(range),
                new ChangeStart.After(after),
                true,
                true,
                100_000,
                64 << 20))
        .changes();
  }

  private static void awaitRemoved(Partition partition, long left) {
    while (partition.sizes().items() != left) {
      partition.expire();
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itemsExpireInTheHalvesAndInWhatTheyBecome(boolean mergedAgain) {
    try (var p = source()) {
      put(p, "own", ",\"ttl\":10");
      put(p, "longer", ",\"ttl\":20");
      put(p, "default", "");
      put(p, "ever", ",\"ttl\":-1");
      EffectivePartitionKey cut = cut(p);
      List<PartitionStore> stores =
          split(
              p,
              cut,
              () -> {
                pass(5);
                put(p, "late", ",\"ttl\":10");
                put(p, "longer", ",\"ttl\":30");
              });
      if (mergedAgain) {
        stores = List.of(merged(p, cut, stores));
      }
      int whole = 0;
      long start = now.get();
      for (PartitionStore store : stores) {
        now.set(start);
        try (Partition partition = open(p, store)) {
          int keys = (int) partition.sizes().logicalPartitions();
          whole += keys;
          assertEquals(5 * keys, shown(partition));
          for (long[] step : new long[][] {{5, 4}, {5, 3}, {20, 2}, {65, 1}, {1_000, 1}}) {
            pass(step[0]);
            assertEquals(step[1] * keys, shown(partition), "after " + step[0]);
            awaitRemoved(partition, step[1] * keys);
          }
          assertEquals(
              4L * keys,
              versions(partition, EpkRange.ALL, 0).stream()
                  .filter(change -> change.kind() == Change.Kind.EXPIRE)
                  .count());
        }
      }
      assertEquals(KEYS.size(), whole);
    }
  }

  @Test
  void whatIsMergedIsRemovedOneDefaultLaterAtMost() {
    try (var p = source()) {
      put(p, "old", "");
      EffectivePartitionKey cut = cut(p);
      List<PartitionStore> halves = split(p, cut, () -> {});
      try (Partition upper = open(p, halves.getLast())) {
        // Its transactions go ahead of the other's, whose writes of today come before them then.
        for (int i = 0; i < 50; i++) {
          write(upper, cut, "many");
        }
        pass(60);
      }
      try (Partition lower = open(p, halves.getFirst())) {
        write(lower, cut, "new");
      }
      try (Partition partition = open(p, merged(p, cut, halves))) {
        pass(40);
        assertEquals(1, shown(partition));
        pass(60);
        assertEquals(0, shown(partition));
        awaitRemoved(partition, 0);
      }
    }
  }

  /** A key that the partition has on the side of the cut where such items are written. */
  private static String keyFor(EffectivePartitionKey cut, String id) {
    boolean lower = id.equals("new");
    return KEYS.stream()
        .filter(k -> key(k).epk().compareTo(cut) < 0 == lower)
        .findFirst()
        .orElseThrow();
  }

  private static void write(Partition partition, EffectivePartitionKey cut, String id) {
    String pk = keyFor(cut, id);
    var task =
        new ItemTask.Upsert(
            key(pk), item("{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\"}"), Precondition.NONE);
    var _ = PartitionFixture.submit(partition, task).join();
  }

  @Test
  void trimmedHistoryStaysRefused() {
    try (var p = source()) {
      put(p, "old", ",\"ttl\":-1");
      pass(3_600);
      while (p.store.get(Keys.trimmedStart()).value() == null) {
        put(p, "new", ",\"ttl\":-1");
      }
      long lsn = p.partition.lsn();
      EffectivePartitionKey cut = cut(p);
      List<PartitionStore> halves = split(p, cut, () -> put(p, "late", ",\"ttl\":-1"));
      for (PartitionStore half : halves) {
        try (Partition partition = open(p, half)) {
          assertThrows(HistoryTrimmed.class, () -> versions(partition, EpkRange.ALL, 0));
          assertEquals(
              partition.sizes().logicalPartitions(), versions(partition, EpkRange.ALL, lsn).size());
        }
      }
      try (Partition partition = open(p, merged(p, cut, halves))) {
        assertThrows(HistoryTrimmed.class, () -> versions(partition, EpkRange.ALL, 0));
        assertThrows(HistoryTrimmed.class, () -> versions(partition, below(cut), 0));
        assertEquals(KEYS.size(), versions(partition, EpkRange.ALL, lsn).size());
      }
    }
  }

  private static boolean isTrimmed(Partition partition, EpkRange range, long after) {
    try {
      var _ = versions(partition, range, after);
      return false;
    } catch (HistoryTrimmed e) {
      return true;
    }
  }

  @Test
  void quietHalfKeepsItsHistoryWhenMergedWithABusyOne() {
    try (var p = source()) {
      put(p, "old", ",\"ttl\":-1");
      EffectivePartitionKey cut = cut(p);
      List<PartitionStore> halves = split(p, cut, () -> {});
      pass(3_600);
      try (Partition quiet = open(p, halves.getFirst())) {
        write(quiet, cut, "new");
      }
      int old = versionsOf(p, halves.getFirst());
      try (Partition busy = open(p, halves.getLast())) {
        while (!isTrimmed(busy, EpkRange.ALL, 0)) {
          write(busy, cut, "many");
        }
      }
      PartitionStore whole = merged(p, cut, halves);
      try (Partition partition = open(p, whole)) {
        assertEquals(old, versions(partition, below(cut), 0).size());
        assertThrows(HistoryTrimmed.class, () -> versions(partition, above(cut), 0));
        assertThrows(HistoryTrimmed.class, () -> versions(partition, EpkRange.ALL, 0));
        assertThrows(HistoryTrimmed.class, () -> versionsOfKey(partition, cut, "many"));
        assertEquals(2, versionsOfKey(partition, cut, "new").size());
      }
      // Another cut than before: the upper part has something of both.
      var lower = new EffectivePartitionKey(cut.hex().substring(0, 1));
      List<PartitionCopy> copies =
          List.of(copy(p, 4).from(whole, below(lower)), copy(p, 5).from(whole, above(lower)));
      copies.forEach(copy -> copy.load(() -> {}));
      try (Partition partition = open(p, storage.open(new PartitionId(4)))) {
        assertFalse(isTrimmed(partition, EpkRange.ALL, 0));
      }
      try (Partition partition = open(p, storage.open(new PartitionId(5)))) {
        assertFalse(isTrimmed(partition, new EpkRange(lower, cut), 0));
        assertTrue(isTrimmed(partition, above(cut), 0));
        assertTrue(isTrimmed(partition, EpkRange.ALL, 0));
      }
    }
  }

  private static int versionsOf(PartitionFixture p, PartitionStore store) {
    try (Partition partition = open(p, store)) {
      return versions(partition, EpkRange.ALL, 0).size();
    }
  }

  private static List<Change> versionsOfKey(
      Partition partition, EffectivePartitionKey cut, String id) {
    var slice = new FeedSlice.OneKey(key(keyFor(cut, id)));
    var start = new ChangeStart.After(0);
    return partition
        .readChanges(new ChangeTask(slice, start, true, true, 100_000, 64 << 20))
        .changes();
  }

  @Test
  void marksOfAMergedPartitionNeverGoBack() {
    try (var p = source()) {
      put(p, "old", ",\"ttl\":-1");
      EffectivePartitionKey cut = cut(p);
      List<PartitionStore> halves = split(p, cut, () -> {});
      long first = p.partition.lsn();
      try (Partition busy = open(p, halves.getLast())) {
        for (int i = 0; i < 10; i++) {
          write(busy, cut, "many");
        }
        pass(3_600);
        while (!isTrimmed(busy, EpkRange.ALL, 0)) {
          write(busy, cut, "many");
        }
      }
      // What is left of the quiet half is the first by its transactions, and goes only now.
      try (Partition partition = open(p, merged(p, cut, halves))) {
        while (!isTrimmed(partition, below(cut), 0)) {
          write(partition, cut, "many");
        }
        assertTrue(isTrimmed(partition, above(cut), first));
        assertTrue(isTrimmed(partition, below(cut), 0));
        assertFalse(isTrimmed(partition, below(cut), first));
      }
    }
  }
}
