package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of answers when nodes have no memory for them. */
@Timeout(60)
class NodesMemoryTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final int ITEMS = 20;

  private final TestNodes nodes = new TestNodes(2);

  @BeforeEach
  void createContainer() {
    String definition =
        """
        {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}\
        """;
    nodes.outcome(0, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    nodes.outcome(
        0,
        new Operation.CreateContainer(
            new DatabaseRef("d"), Body.json(definition), new Throughput.Manual(50_000)));
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static ItemScope scope(int number) {
    return new ItemScope(
        CONTAINER, new PartitionKey(List.<KeyComponent>of(new KeyComponent.Text("k" + number))));
  }

  private Outcome upsert(int number) {
    String body = "{\"id\":\"i\",\"pk\":\"k" + number + "\"}";
    return nodes.outcome(
        0, new Operation.UpsertItem(scope(number), Body.json(body), Precondition.NONE));
  }

  private Outcome read(int number) {
    return nodes.outcome(
        0, new Operation.ReadItem(scope(number), new ItemRef.ById("i"), Precondition.NONE));
  }

  @Test
  void writesAreToldAndReadsRefusedWithoutMemoryForAnswers() {
    nodes.fill(true);
    int refused = 0;
    for (int i = 0; i < ITEMS; i++) {
      assertFalse(upsert(i) instanceof Refusal);
      if (read(i) instanceof Refusal.Unavailable(String message)) {
        assertTrue(message.contains("answers to other nodes are unsent"), message);
        refused++;
      }
    }
    assertTrue(refused > 0 && refused < ITEMS, refused + " reads concern the other node");
    nodes.fill(false);
    for (int i = 0; i < ITEMS; i++) {
      assertInstanceOf(Outcome.ItemRead.class, read(i));
    }
  }

  /** They may be withheld as reads are: nothing was done. */
  @Test
  void batchesThatOnlyReadAreRefusedWithoutMemoryForAnswers() {
    for (int i = 0; i < ITEMS; i++) {
      assertFalse(upsert(i) instanceof Refusal);
    }
    nodes.fill(true);
    int refused = 0;
    for (int i = 0; i < ITEMS; i++) {
      var read = new Operation.ReadItem(scope(i), new ItemRef.ById("i"), Precondition.NONE);
      Outcome outcome = nodes.outcome(0, new Operation.ExecuteBatch(scope(i), List.of(read, read)));
      refused += outcome instanceof Refusal.Unavailable ? 1 : 0;
    }
    assertTrue(refused > 0 && refused < ITEMS, refused + " batches concern the other node");
  }

  /** It is there: nobody may take its place. */
  @Test
  void aNodeForWhichTooMuchWaitsIsNotTakenForUnreachable() throws InterruptedException {
    for (int i = 0; i < ITEMS; i++) {
      assertFalse(upsert(i) instanceof Refusal);
    }
    nodes.crowd(true);
    Outcome[] outcomes = new Outcome[ITEMS];
    var reads = new ArrayList<Thread>();
    for (int i = 0; i < ITEMS; i++) {
      int number = i;
      reads.add(Thread.startVirtualThread(() -> outcomes[number] = read(number)));
    }
    while (nodes.crowdedCalls() == 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertEquals(
        List.of(), Objects.requireNonNull(nodes.node(0).database().figures().node()).unreachable());
    nodes.crowd(false);
    for (Thread read : reads) {
      read.join();
    }
    for (Outcome outcome : outcomes) {
      assertInstanceOf(Outcome.ItemRead.class, outcome);
    }
  }

  @Test
  void answersAreReturnedWhenTheyAreDecoded() throws InterruptedException {
    for (int i = 0; i < ITEMS; i++) {
      assertFalse(upsert(i) instanceof Refusal);
      assertInstanceOf(Outcome.ItemRead.class, read(i));
    }
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    // Nodes ask each other for more than items.
    while (nodes.openAnswers() != 0 && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertTrue(nodes.arrivedAnswers() >= ITEMS / 2, "some items are the other node's");
    assertEquals(0, nodes.openAnswers());
  }
}
