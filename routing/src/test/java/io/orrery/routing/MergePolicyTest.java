package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Throughput;
import io.orrery.partition.Partition;
import io.orrery.partition.format.v1.Keys;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The index policy changes while a merge waits for the second of its partitions. */
class MergePolicyTest {
  private static final int KEYS = 20;

  private final MemoryStorage storage = new MemoryStorage();
  private final DatabaseSettings settings = DatabaseSettings.of(Limits.SEEDS);
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile @Nullable PartitionId held;

  /** The storage, with commits of one partition that wait. */
  private Storage held() {
    return proxy(
        Storage.class,
        storage,
        result ->
            result instanceof PartitionStore store
                ? proxy(PartitionStore.class, store, same -> same)
                : result);
  }

  private interface Change {
    @Nullable Object of(@Nullable Object result);
  }

  private <T> T proxy(Class<T> type, T real, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("commit") && ((PartitionStore) real).id().equals(held)) {
                released.await();
              }
              return change.of(method.invoke(real, arguments));
            }));
  }

  @Test
  @Timeout(60)
  void entriesOfAllItemsFollowOnePolicy() throws Exception {
    try (var database = OrreryDatabase.open(held(), settings)) {
      create(database);
      fill(database, 0);
      Elasticity elasticity = database.elasticity();
      var whole = elasticity.container(TestDatabase.CONTAINER);
      SplitTest.ended(elasticity.split(whole, "0", new Cut.Midpoint(), false));
      var halves = elasticity.container(TestDatabase.CONTAINER);
      List<MappedRange> both = halves.map().ranges();
      fill(database, KEYS); // opens both
      held = both.getLast().partition();
      index(database, false);
      awaitIndexed(both.getFirst().partition());
      Reshape merge = elasticity.merge(halves, both.stream().map(MappedRange::id).toList(), false);
      awaitPaused(database.partitions().served(both.getFirst().partition()));
      index(database, true);
      released.countDown();
      assertEquals(Reshape.Phase.SUCCEEDED, SplitTest.ended(merge).phase());
    }
    var faults = new ArrayList<String>();
    Verification.run(storage, settings, checked -> faults.addAll(checked.report().faults()));
    assertEquals(List.of(), faults);
  }

  private static void create(OrreryDatabase database) {
    database.execute(new Operation.CreateDatabase(TestDatabase.json("{'id':'d'}"), null));
    database.execute(
        new Operation.CreateContainer(
            new DatabaseRef("d"),
            TestDatabase.json(TestDatabase.KEYED),
            new Throughput.Manual(10_000)));
  }

  private static void fill(OrreryDatabase database, int from) {
    for (int n = from; n < from + KEYS; n++) {
      var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of("k" + n));
      var body = TestDatabase.json("{'id':'1','pk':'k%d','n':%d}".formatted(n, n));
      assertInstanceOf(
          Outcome.ItemCreated.class,
          database.execute(new Operation.CreateItem(scope, body)).outcome());
    }
  }

  private static void index(OrreryDatabase database, boolean all) {
    String excluded = all ? "" : "{'path':'/n/?'}";
    String definition =
        TestDatabase.KEYED.replaceFirst("}$", "")
            + ",'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':["
            + excluded
            + "]}}";
    assertInstanceOf(
        Outcome.ResourceReplaced.class,
        database
            .execute(
                new Operation.ReplaceContainer(
                    TestDatabase.CONTAINER, TestDatabase.json(definition), Precondition.NONE))
            .outcome());
  }

  /** Waits until the merge lets the upkeep of a partition wait: then nobody else can. */
  private static void awaitPaused(Partition partition) {
    while (partition.pauseUpkeep()) {
      partition.resumeUpkeep();
      Thread.onSpinWait();
    }
  }

  private void awaitIndexed(PartitionId id) {
    String state;
    do {
      byte[] stored = storage.open(id).get(Keys.indexState()).value();
      state = new String(Objects.requireNonNull(stored), StandardCharsets.UTF_8);
    } while (!state.contains("/n/?") || state.contains("\"next\""));
  }
}
