package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Outcome;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers and upkeep of many large items hold few of them at a time: a hundred would fill a small
 * heap.
 */
class LargeItemsTest {
  private static final int ITEMS = 40;
  private static final int ITEM_BYTES = 1_000_000;
  private static final long READ_BYTES_MAX = 8L << 20;
  private static final String LARGE = ",\"text\":\"" + "x".repeat(ITEM_BYTES) + "\"}";

  @TempDir Path data;

  @Test
  void aCallOfAReaderReadsFewLargeItems() {
    var most = new AtomicLong();
    try (var storage = RocksStorage.open(RocksConfig.in(data));
        var p =
            new PartitionFixture(
                measured(PartitionStore.class, storage.open(new PartitionId(7)), most),
                UniqueKeys.NONE)) {
      createLarge(p, "");
      var queries = new QueryFixture(p);
      for (String sql :
          List.of(
              "SELECT VALUE c.n FROM c WHERE c.n >= 0",
              "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
              "SELECT VALUE c.n FROM c WHERE c.n >= 0 ORDER BY c.text")) {
        assertEquals(ITEMS, queries.drain(sql, 1_000).rows().size(), sql);
      }
      FeedPage page = feed(p, 0);
      int found = page.items().size();
      while (page.more()) {
        page = feed(p, page.lastCounter());
        found += page.items().size();
      }
      assertEquals(ITEMS, found);
      assertTrue(most.get() > 0 && most.get() <= READ_BYTES_MAX, most + " bytes in one call");
    }
  }

  /** Small steps make versions as large as an item can be, and all of them are answered. */
  @Test
  void aBatchHoldsFewLargeVersions() {
    try (var p = new PartitionFixture(true)) {
      p.keepVersions(false); // what they keep would fill the batch
      createLarge(p, "");
      var target = new Target.Id("1");
      ItemTask change = increment(target);
      ItemTask read = new ItemTask.Read(key("a"), target, Precondition.NONE);
      for (ItemTask then : List.of(change, read)) {
        var ended = run(p, change, Collections.nCopies(99, then));
        assertFalse(ended.isWhole());
        assertTrue(
            ended.steps().stream().anyMatch(step -> step.outcome() instanceof Refusal.TooLarge));
      }
      assertEquals(1, new QueryFixture(p).drain("SELECT * FROM c WHERE c.n = 1", 9).rows().size());
      assertTrue(run(p, change, Collections.nCopies(9, change)).isWhole());
    }
  }

  /** Each is read as a whole to remove its index entries, while all other writes wait. */
  @Test
  void aBatchReplacesAndDeletesFewLargeVersions() {
    try (var p = new PartitionFixture(true)) {
      p.keepVersions(false); // what they keep would fill the batch
      createLarge(p, "");
      var deletes = new ArrayList<ItemTask>();
      var replaces = new ArrayList<ItemTask>();
      for (int i = 0; i < ITEMS; i++) {
        var target = new Target.Id("" + i);
        deletes.add(new ItemTask.Delete(key("a"), target, Precondition.NONE));
        replaces.add(
            new ItemTask.Replace(key("a"), target, item(json("a", "" + i, i)), Precondition.NONE));
      }
      ItemTask create = new ItemTask.Create(key("a"), item(json("a", "new", 1)));
      ItemTask conditional = increment(new Target.Id("new"), "from c where c.n = 1");
      for (List<ItemTask> steps : List.of(deletes, replaces)) {
        var beside = new ArrayList<>(steps);
        beside.addFirst(conditional);
        for (List<ItemTask> some : List.of(steps, beside)) {
          Outcome.StepsDone ended = run(p, create, some);
          assertFalse(ended.isWhole());
          Outcome refused = ended.steps().get(some.size() - steps.size() + 17).outcome();
          assertInstanceOf(Refusal.TooLarge.class, refused);
        }
      }
      assertEquals(ITEMS, p.partition.sizes().items());
      assertTrue(run(p, create, deletes.subList(0, 16)).isWhole());
    }
  }

  private static ItemTask increment(Target target) {
    return increment(target, null);
  }

  private static ItemTask increment(Target target, @Nullable String condition) {
    List<Patch.Step> add =
        List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1")));
    return new ItemTask.PatchOne(key("a"), target, new Patch(add, condition), Precondition.NONE);
  }

  private static Outcome.StepsDone run(PartitionFixture p, ItemTask first, List<ItemTask> then) {
    List<ItemTask> steps = new ArrayList<>(then);
    steps.addFirst(first);
    return assertInstanceOf(
        Outcome.StepsDone.class, p.run(new ItemTask.Batch(key("a"), steps)).outcome());
  }

  /** A write may look at many items: what it has read is forgotten before it fills the heap. */
  @Test
  void aGroupRemembersFewLargeItems() {
    try (var p = new PartitionFixture(true)) {
      createLarge(p, "");
      try (Snapshot snapshot = p.store.snapshot()) {
        var state = new GroupState(snapshot);
        var all = new EntryScan(snapshot, Keys.item(0), Keys.itemsEnd());
        for (Entry item = all.next(); item != null; item = all.next()) {
          state.get(item.key());
          assertTrue(state.fetchedBytes() <= READ_BYTES_MAX, "" + state.fetchedBytes());
        }
      }
    }
  }

  /** One commit of upkeep is made over one snapshot. */
  @Test
  void aCommitOfUpkeepReadsFewLargeItems() throws Exception {
    var most = new AtomicLong();
    try (var p = new PartitionFixture(store -> measuredBySnapshot(store, most))) {
      var seconds = new AtomicLong(Expire.seconds(Ticks.now()));
      p.clock(() -> seconds.get() * Ticks.PER_SECOND);
      p.timeToLive(new TimeToLive(1_000));
      for (String own : List.of("", ",\"ttl\":500")) {
        createLarge(p, own);
        seconds.addAndGet(2_000);
        p.partition.expire();
        awaitEmpty(p);
      }
      createLarge(p, "");
      p.run(new ItemTask.DeleteAll(key("a")));
      awaitEmpty(p);
      assertTrue(most.get() > 0 && most.get() <= READ_BYTES_MAX, most + " bytes in one commit");
    }
  }

  private static void createLarge(PartitionFixture p, String own) {
    for (int i = 0; i < ITEMS; i++) {
      var create =
          new ItemTask.Create(key("a"), item(json("a", "" + i, i).replace("}", own + LARGE)));
      assertInstanceOf(Outcome.ItemCreated.class, p.run(create).outcome());
    }
  }

  private static void awaitEmpty(PartitionFixture p) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (isAnyStored(p)) {
      assertTrue(System.nanoTime() < until, "items stay");
      Thread.sleep(5);
    }
  }

  private static boolean isAnyStored(PartitionFixture p) {
    try (Snapshot snapshot = p.store.snapshot()) {
      Scan first = Scan.forward(Keys.item(0), Keys.itemsEnd()).atMost(1);
      return !snapshot.scan(first).entries().isEmpty();
    }
  }

  /** A page of a key without changes is cheap, so it must not read all items of other keys. */
  @Test
  void aPageOfOneKeyReadsLittleOfOthers() {
    var read = new AtomicLong();
    try (var p = new PartitionFixture(store -> measuredBySnapshot(store, read))) {
      createLarge(p, "");
      for (int i = 0; i < ITEMS; i++) {
        var body = item(json("a", "" + i, i).replace("}", LARGE));
        p.run(new ItemTask.Upsert(key("a"), body, Precondition.NONE));
      }
      p.create("b", "1");
      for (boolean versions : List.of(true, false)) {
        ChangeStart start = new ChangeStart.Beginning();
        int found = 0;
        boolean more = true;
        while (more) {
          read.set(0);
          var task =
              new ChangeTask(new FeedSlice.OneKey(key("b")), start, versions, false, 100, 4 << 20);
          Changes page = p.partition.readChanges(task);
          found += page.changes().size();
          start = new ChangeStart.After(page.reached());
          more = page.more();
          assertTrue(read.get() <= 80L << 20, read + " bytes for one page");
        }
        assertEquals(1, found);
      }
    }
  }

  private static FeedPage feed(PartitionFixture p, long after) {
    return p.partition.readFeed(
        new FeedTask(new FeedSlice.OneKey(key("a")), after, 1_000, 4 << 20));
  }

  /** The same, which notes how many bytes of values a call gave at most. */
  private static <T> T measured(Class<T> type, T whole, AtomicLong most) {
    return watched(
        type,
        whole,
        bytes -> most.accumulateAndGet(bytes, Math::max),
        snapshot -> measured(Snapshot.class, snapshot, most));
  }

  /** The same, which notes how many bytes of values all calls on a snapshot gave at most. */
  static PartitionStore measuredBySnapshot(PartitionStore whole, AtomicLong most) {
    return watched(
        PartitionStore.class,
        whole,
        bytes -> {},
        snapshot -> {
          var sum = new AtomicLong();
          return watched(
              Snapshot.class,
              snapshot,
              bytes -> most.accumulateAndGet(sum.addAndGet(bytes), Math::max),
              UnaryOperator.identity());
        });
  }

  private static <T> T watched(
      Class<T> type, T whole, LongConsumer read, UnaryOperator<Snapshot> opened) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                Object result = method.invoke(whole, arguments);
                read.accept(bytesOf(result));
                return result instanceof Snapshot snapshot ? opened.apply(snapshot) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }

  private static long bytesOf(@Nullable Object result) {
    return switch (result) {
      case Read read -> read.value() == null ? 0 : read.value().length;
      case Reads(var head, var values) ->
          values.stream().filter(Objects::nonNull).mapToLong(v -> v.length).sum();
      case Page page -> page.entries().stream().mapToLong(entry -> entry.value().length).sum();
      case null, default -> 0;
    };
  }
}
