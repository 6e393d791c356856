package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Cut;
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
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several nodes are one database, whichever is asked and whoever comes or goes. */
class NodesTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final String DEFINITION =
      """
      {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}\
      """;
  private static final int PARTITIONS = 5;

  private final TestNodes nodes = new TestNodes(3);

  @BeforeEach
  void createContainer() {
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        nodes.outcome(1, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null)));
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        nodes.outcome(
            2,
            new Operation.CreateContainer(
                new DatabaseRef("d"),
                Body.json(DEFINITION),
                new Throughput.Manual(PARTITIONS * 10_000))));
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static PartitionKey key(int number) {
    return new PartitionKey(List.<KeyComponent>of(new KeyComponent.Text("k" + number)));
  }

  private Outcome upsert(int node, int number, int value) {
    String body = "{\"id\":\"i\",\"pk\":\"k" + number + "\",\"value\":" + value + "}";
    return nodes.outcome(
        node,
        new Operation.UpsertItem(
            new ItemScope(CONTAINER, key(number)), Body.json(body), Precondition.NONE));
  }

  private static Operation.ReadItem readOf(int number) {
    return new Operation.ReadItem(
        new ItemScope(CONTAINER, key(number)), new ItemRef.ById("i"), Precondition.NONE);
  }

  private String read(int node, int number) {
    Outcome outcome = nodes.outcome(node, readOf(number));
    return assertInstanceOf(Outcome.ItemRead.class, outcome, outcome::toString)
        .item()
        .body()
        .bytes()
        .utf8();
  }

  private void write(int items, int value) {
    for (int i = 0; i < items; i++) {
      Outcome written = upsert(i % 3, i, value);
      assertTrue(!(written instanceof Refusal), written::toString);
    }
  }

  @Test
  void anyNodeAnswersAnyRequest() {
    write(60, 1);
    for (int node = 0; node < nodes.count(); node++) {
      for (int i = 0; i < 60; i++) {
        assertTrue(read(node, i).contains("\"value\":1"));
      }
      assertEquals(60, nodes.itemsSeenBy(node));
    }
  }

  @Test
  void whatOneNodeAnsweredAllSee() {
    for (int value = 1; value <= 50; value++) {
      upsert(value % 3, 7, value);
      assertTrue(read((value + 1) % 3, 7).contains("\"value\":" + value));
      assertEquals(1, nodes.itemsSeenBy((value + 2) % 3));
    }
  }

  @Test
  void aNodeThatComesTakesItsShare() {
    write(60, 1);
    nodes.add();
    write(60, 2);
    for (int i = 0; i < 60; i++) {
      assertTrue(read(3, i).contains("\"value\":2"));
    }
    assertEquals(60, nodes.itemsSeenBy(3));
  }

  @Test
  void aNodeThatGoesLosesNothing() {
    write(60, 1);
    nodes.expel(1);
    for (int i = 0; i < 60; i++) {
      upsert(i % 2 * 2, i, 2);
    }
    nodes.readmit(1);
    for (int i = 0; i < 60; i++) {
      assertTrue(read(1, i).contains("\"value\":2"), "the late node has seen nothing of it");
    }
  }

  @Test
  void theEldestMayGo() {
    write(20, 1);
    nodes.expel(0);
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        nodes.outcome(2, new Operation.CreateDatabase(Body.json("{\"id\":\"e\"}"), null)));
    nodes.readmit(0);
    assertInstanceOf(
        Outcome.ResourceRead.class,
        nodes.outcome(0, new Operation.ReadDatabase(new DatabaseRef("e"), Precondition.NONE)));
  }

  @Test
  void aNodeThatNobodyReachesIsStoodInFor() {
    write(20, 1);
    nodes.cut(1);
    for (int i = 0; i < 20; i++) {
      Outcome written = upsert(0, i, 2);
      assertTrue(!(written instanceof Refusal), written::toString);
      assertTrue(read(0, i).contains("\"value\":2"));
    }
    Map<String, Long> seen = lsns();
    nodes.mend(1);
    for (int i = 0; i < 20; i++) {
      // What it remembers is older than what the client has seen, and it was told of nothing.
      var inSession = new Operation.ReadInSession(readOf(i), CONTAINER, seen);
      assertInstanceOf(Outcome.ItemRead.class, nodes.outcome(1, inSession));
      assertTrue(read(1, i).contains("\"value\":2"));
    }
  }

  private Map<String, Long> lsns() {
    Map<String, Long> lsns = new HashMap<>();
    for (long id = 1; id <= PARTITIONS; id++) {
      lsns.put(Long.toString(id - 1), head(id).lsn());
    }
    return lsns;
  }

  private Head head(long partition) {
    try (Snapshot snapshot = nodes.storage.open(new PartitionId(partition)).snapshot()) {
      return Objects.requireNonNull(snapshot.head());
    }
  }

  /** As behind a wall with one gate closed: it would take its share, and serve none of it. */
  @Test
  void aNodeThatDoesNotReachWhoLeadsServesAllTheSame() {
    write(20, 1);
    nodes.cut(3, 0);
    OrreryDatabase late = nodes.add().database();
    for (int i = 0; i < 20; i++) {
      Outcome written = upsert(1, i, 2);
      assertTrue(!(written instanceof Refusal), written::toString);
      assertTrue(read(2, i).contains("\"value\":2"));
    }
    assertTrue(late.isServing());
    var figures = Objects.requireNonNull(late.figures().node());
    assertEquals(List.of("node-0"), figures.unreachable());
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        nodes.outcome(1, new Operation.CreateDatabase(Body.json("{\"id\":\"e\"}"), null)));
    assertInstanceOf(
        Outcome.ResourceRead.class,
        nodes.outcome(3, new Operation.ReadDatabase(new DatabaseRef("e"), Precondition.NONE)));
  }

  /** What may be old is read by any node, who serves it or not. */
  @Test
  void readsThatMayBeOldDoNotWait() {
    write(20, 1);
    List<Long> epochs = epochs();
    nodes.cut(1);
    nodes.cut(2);
    for (int i = 0; i < 20; i++) {
      Outcome outcome = nodes.outcome(0, new Operation.ReadEventually(readOf(i)));
      var read = assertInstanceOf(Outcome.ItemRead.class, outcome, outcome::toString);
      assertTrue(read.item().body().bytes().utf8().contains("\"value\":1"));
    }
    assertEquals(epochs, epochs(), "nothing was taken over for it");
  }

  /** Of the partitions' heads: who has taken each of them over last. */
  private List<Long> epochs() {
    List<Long> epochs = new ArrayList<>();
    for (long id = 1; id <= PARTITIONS; id++) {
      epochs.add(head(id).epoch());
    }
    return epochs;
  }

  @Test
  void splitsGoUnseenThroughEveryNode() throws Exception {
    write(60, 1);
    var stop = new AtomicBoolean();
    var writers =
        CompletableFuture.runAsync(
            () -> {
              for (int value = 2; !stop.get(); value++) {
                write(60, value);
                assertEquals(60, nodes.itemsSeenBy(value % 3));
              }
            });
    for (String range : List.of("0", "1")) {
      Outcome begun =
          nodes.outcome(
              1, new Operation.SplitPartition(CONTAINER, range, new Cut.Midpoint(), false));
      assertInstanceOf(Outcome.Managed.class, begun, begun::toString);
    }
    awaitRanges(PARTITIONS + 2);
    stop.set(true);
    writers.get(60, TimeUnit.SECONDS);
    for (int node = 0; node < nodes.count(); node++) {
      assertEquals(60, nodes.itemsSeenBy(node));
    }
  }

  private void awaitRanges(int expected) throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      Outcome ranges = nodes.outcome(2, new Operation.ReadPartitionKeyRanges(CONTAINER, null));
      if (assertInstanceOf(Outcome.Ranges.class, ranges).ranges().size() == expected) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("The ranges did not become " + expected);
  }
}
