package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A virtual clock shows the same on all nodes, whichever is told to advance it. */
class NodesClockTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final int ITEMS = 20;

  private final TestNodes nodes =
      new TestNodes(3, () -> DatabaseSettings.of(Limits.SEEDS).withClock(new VirtualClock()));

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void itemsExpireOnAllNodesAtOnce() {
    nodes.outcome(0, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    String definition =
        """
        {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":1000}\
        """;
    nodes.outcome(
        0,
        new Operation.CreateContainer(
            new DatabaseRef("d"), Body.json(definition), new Throughput.Manual(50_000)));
    for (int i = 0; i < ITEMS; i++) {
      create(i);
    }
    pass(1, 900); // a slow machine has 100 seconds for the rest
    // Whoever comes now is told what time it is.
    nodes.add();
    assertSeenByAll(ITEMS);
    pass(2, 100);
    assertSeenByAll(0);
  }

  private void create(int number) {
    var key = new PartitionKey(List.<KeyComponent>of(new KeyComponent.Text("k" + number)));
    String body = "{\"id\":\"i\",\"pk\":\"k" + number + "\"}";
    Outcome created =
        nodes.outcome(
            number % nodes.count(),
            new Operation.UpsertItem(
                new ItemScope(CONTAINER, key), Body.json(body), Precondition.NONE));
    assertTrue(!(created instanceof Refusal), created::toString);
  }

  private void pass(int node, int seconds) {
    Outcome passed = nodes.outcome(node, new Operation.AdvanceClock(Duration.ofSeconds(seconds)));
    assertInstanceOf(Outcome.Managed.class, passed);
  }

  private void assertSeenByAll(int expected) {
    for (int node = 0; node < nodes.count(); node++) {
      assertEquals(expected, nodes.itemsSeenBy(node), "node " + node);
    }
  }
}
