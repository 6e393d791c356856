package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

  /** While a split is decided, nobody knows who is there. */
  private void reached(ReshapeStep step) {
    nodes.blind(step == ReshapeStep.COPIED);
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
    create("d", null);
    created(0, container("c", new Throughput.Manual(10_000)));
    for (int number = 0; number < ITEMS; number++) {
      assertInstanceOf(Outcome.ItemCreated.class, insert(number % NODES, "c", number));
    }
    var begun = new Operation.SplitPartition(CONTAINER, "0", new Cut.Midpoint(), false);
    assertInstanceOf(Outcome.Managed.class, nodes.outcome(1, begun));
    for (int node = 0; node < NODES; node++) {
      int asked = node;
      await(() -> ranges(asked) == 2);
      assertEquals(ITEMS, nodes.itemsSeenBy(node));
    }
    assertInstanceOf(Outcome.ItemCreated.class, insert(1, "c", ITEMS));
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
