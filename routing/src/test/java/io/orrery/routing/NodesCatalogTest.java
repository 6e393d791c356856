package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.partition.Tenure;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogFault;
import io.orrery.routing.catalog.CatalogReaders;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Storage;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of the catalog count and spread, whatever happens after their commit. */
@Timeout(120)
class NodesCatalogTest {
  private static final int NODES = 3;
  private static final int ITEMS = 30;

  private final TestNodes nodes =
      new TestNodes(NODES, () -> DatabaseSettings.of(Limits.SEEDS).watchedBy(this::reached));

  /** What happens right before a split is decided. */
  private volatile Runnable beforeDecision = () -> {};

  private void reached(ReshapeStep step) {
    nodes.blind(false);
    if (step == ReshapeStep.COPIED) {
      Runnable happens = beforeDecision;
      beforeDecision = () -> {};
      happens.run();
    }
  }

  @AfterEach
  void close() {
    for (int node = 0; node < NODES; node++) {
      nodes.mend(node);
    }
    nodes.close();
  }

  private void create(String database, @Nullable Throughput throughput) {
    created(0, new Operation.CreateDatabase(json("{'id':'" + database + "'}"), throughput));
  }

  private static Operation.CreateContainer container(String id, @Nullable Throughput throughput) {
    return new Operation.CreateContainer(
        new DatabaseRef("d"), json(TestDatabase.KEYED.replace("'c'", "'" + id + "'")), throughput);
  }

  private void created(int node, Operation operation) {
    Outcome outcome = nodes.outcome(node, operation);
    assertInstanceOf(Outcome.ResourceCreated.class, outcome, outcome::toString);
  }

  private Outcome insert(int node, String container, int number) {
    String key = "k" + number;
    return nodes.outcome(
        node,
        new Operation.CreateItem(
            new ItemScope(ContainerRef.of("d", container), PartitionKey.of(key)),
            json("{'id':'i','pk':'" + key + "'}")));
  }

  @Test
  void aSplitThatWasDecidedIsNotUndoneWhenNobodyKnowsWhoHasToHearOfIt() throws Exception {
    fill();
    beforeDecision = () -> nodes.blind(true);
    split();
    assertSplit();
  }

  private void fill() {
    create("d", null);
    created(0, container("c", new Throughput.Manual(10_000)));
    for (int number = 0; number < ITEMS; number++) {
      assertInstanceOf(Outcome.ItemCreated.class, insert(number % NODES, "c", number));
    }
  }

  private Outcome split() {
    return nodes.outcome(
        1, new Operation.SplitPartition(CONTAINER, "0", new Cut.Midpoint(), false));
  }

  private void assertSplit() throws InterruptedException {
    for (int node = 0; node < NODES; node++) {
      int asked = node;
      await(() -> ranges(asked) == 2);
      assertEquals(ITEMS, nodes.itemsSeenBy(node));
    }
    assertInstanceOf(Outcome.ItemCreated.class, insert(1, "c", ITEMS));
  }

  /** It is refused as long as the one before stands in its way. */
  private void splitAgain() throws InterruptedException {
    await(() -> split() instanceof Outcome.Managed || ranges(0) == 2);
    assertSplit();
  }

  @Test
  void aSplitIsNotDecidedByWhoeverLostTheCatalogMeanwhile() throws Exception {
    fill();
    var late = new CompletableFuture<Void>();
    beforeDecision =
        () ->
            late.completeAsync(
                () -> {
                  // It drops what no map names, and is gone before it has told anybody.
                  Catalog catalog = Catalog.join(nodes.storage);
                  catalog.readBy(new Refusing());
                  assertThrows(NotHere.class, () -> catalog.recover(new LateTenure()));
                  return null;
                },
                Runnable::run);
    split();
    late.get();
    await(() -> split() instanceof Outcome.Managed);
    assertSplit();
  }

  @Test
  void whatIsMadeWhileTheCatalogIsTakenOverIsNotDropped() {
    fill();
    var storage =
        (Storage)
            Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("list")) {
                    created(0, container("e", new Throughput.Manual(400)));
                  }
                  return method.invoke(nodes.storage, arguments);
                });
    Catalog late = Catalog.join(storage);
    assertThrows(CatalogFault.class, () -> late.recover(new LateTenure()));
    assertInstanceOf(Outcome.ItemCreated.class, insert(1, "e", 1));
    assertEquals(ITEMS, nodes.itemsSeenBy(2));
  }

  @Test
  void aSplitThatFailsWhileNobodyIsAMemberCanBeAskedForAgain() throws Exception {
    fill();
    beforeDecision =
        () -> {
          nodes.adrift(true);
          CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> nodes.adrift(false));
        };
    split();
    splitAgain();
  }

  /** Of a node that was the eldest once, and does not know that it is no more. */
  private static final class LateTenure implements Tenure {
    @Override
    public long epoch(long found) {
      return 99;
    }

    @Override
    public Duration dismiss(PartitionId partition, long epoch) {
      return Duration.ZERO;
    }

    @Override
    public Duration lease() {
      return Duration.ofSeconds(2);
    }

    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public void lost() {}
  }

  /** Whoever asks has no turn. */
  private static final class Refusing implements CatalogReaders {
    @Override
    public void requireTurn(long epoch) {
      throw new NotHere("planted");
    }

    @Override
    public void await(long version) {}
  }

  private int ranges(int node) {
    Outcome ranges = nodes.outcome(node, new Operation.ReadPartitionKeyRanges(CONTAINER, null));
    return assertInstanceOf(Outcome.Ranges.class, ranges).ranges().size();
  }

  @Test
  void aNodeThatWasNotToldAsks() throws Exception {
    create("d", null);
    created(0, container("c", new Throughput.Manual(400)));
    var read = new Operation.ReadContainer(CONTAINER, Precondition.NONE);
    assertInstanceOf(Outcome.ContainerRead.class, nodes.outcome(2, read));
    nodes.deafen(2);
    var delete = new Operation.DeleteContainer(CONTAINER, Precondition.NONE);
    var deleting = CompletableFuture.supplyAsync(() -> nodes.outcome(0, delete));
    // A node reads the catalog from its own memory.
    await(() -> nodes.outcome(2, read) instanceof Refusal);
    nodes.mend(2);
    assertInstanceOf(Outcome.ResourceDeleted.class, deleting.join());
  }

  @Test
  void thoseWhoShareAThroughputAreServedByOneNode() {
    create("d", new Throughput.Manual(400));
    Set<String> serving = new HashSet<>();
    for (int number = 0; number < 8; number++) {
      created(0, container("c" + number, null));
      serving.addAll(servingNodes("c" + number));
    }
    assertEquals(1, serving.size(), serving::toString);
  }

  private List<String> servingNodes(String container) {
    var ref = ContainerRef.of("d", container);
    var told =
        assertInstanceOf(
            Outcome.Managed.class, nodes.outcome(1, new Operation.SurveyPartitions(ref)));
    var report = (Value.Obj) Json.parse(told.report().bytes().array());
    List<String> serving = new ArrayList<>();
    var partitions = (Value.Arr) Objects.requireNonNull(report.members().get("partitions"));
    for (Value partition : partitions.items()) {
      serving.add(String.valueOf(((Value.Obj) partition).members().get("node")));
    }
    return serving;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(Duration.ofMillis(20));
    }
  }
}
