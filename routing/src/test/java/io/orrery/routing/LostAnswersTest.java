package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.Throughput;
import io.orrery.routing.TestNodes.Loss;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What another node was asked to write is done once, though its answer or the node is lost. */
class LostAnswersTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final ScriptRef ADD_SCRIPT =
      new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "add");
  private static final Patch ADD =
      new Patch(List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1"))), null);
  private static final int ITEMS = 30;

  private final TestNodes nodes = new TestNodes(3);

  @BeforeEach
  void createItems() {
    done(0, new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    String definition =
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    done(
        0,
        new Operation.CreateContainer(
            new DatabaseRef("d"), Body.json(definition), new Throughput.Manual(50_000)));
    for (int i = 0; i < ITEMS; i++) {
      String item = "{\"id\":\"i\",\"pk\":\"k" + i + "\",\"n\":0}";
      done(i % 3, new Operation.CreateItem(scope(i), Body.json(item)));
    }
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private void done(int node, Operation operation) {
    Outcome outcome = nodes.outcome(node, operation);
    assertInstanceOf(Outcome.Success.class, outcome, outcome::toString);
  }

  private static PartitionKey key(int number) {
    return PartitionKey.of("k" + number);
  }

  private static ItemScope scope(int number) {
    return new ItemScope(CONTAINER, key(number));
  }

  private void add(int number) {
    done(0, new Operation.PatchItem(scope(number), new ItemRef.ById("i"), ADD, Precondition.NONE));
  }

  private void assertCount(int expected, int number) {
    Outcome read =
        nodes.outcome(
            2, new Operation.ReadItem(scope(number), new ItemRef.ById("i"), Precondition.NONE));
    assertEquals(
        "{\"id\":\"i\",\"pk\":\"k" + number + "\",\"n\":" + expected + "}",
        assertInstanceOf(Outcome.ItemRead.class, read).item().body().bytes().utf8());
  }

  /** Whoever asked has long been told that it was refused. */
  @Test
  void aRepeatedRequestThatArrivesLateIsNotDone() {
    nodes.lose(Loss.REQUEST);
    nodes.lose(Loss.HELD);
    int number = 0;
    while (true) {
      String item = "{\"id\":\"i\",\"pk\":\"k" + number + "\",\"n\":7}";
      assertInstanceOf(
          Refusal.Conflict.class,
          nodes.outcome(0, new Operation.CreateItem(scope(number), Body.json(item))));
      if (nodes.isLost()) {
        break;
      }
      number++;
    }
    done(0, new Operation.DeleteItem(scope(number), new ItemRef.ById("i"), Precondition.NONE));
    nodes.deliverHeld();
    assertInstanceOf(
        Refusal.NotFound.class,
        nodes.outcome(
            2, new Operation.ReadItem(scope(number), new ItemRef.ById("i"), Precondition.NONE)));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD")
  void theSameNodeIsAskedAgain(Loss loss) {
    for (int i = 0; i < ITEMS; i++) {
      nodes.lose(loss);
      add(i);
      assertCount(1, i);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD")
  void anotherNodeIsAsked(Loss loss) throws Exception {
    int number = 0;
    nodes.lose(loss, () -> List.of(1, 2).forEach(nodes::cut));
    while (!nodes.isLost()) {
      int adding = number++;
      CompletableFuture.runAsync(() -> add(adding)).get(60, TimeUnit.SECONDS);
    }
    List.of(1, 2).forEach(nodes::mend);
    for (int i = 0; i < ITEMS; i++) {
      assertCount(i < number ? 1 : 0, i);
    }
  }

  @Test
  void scriptsSayThatTheyAreDone() {
    String script =
        """
        function add() {
          const items = getContext().getCollection();
          items.queryDocuments(items.getSelfLink(), 'SELECT * FROM c', (error, found) => {
            found[0].n++;
            items.replaceDocument(found[0]._self, found[0]);
          });
        }
        """;
    String definition =
        "{\"id\":\"add\",\"body\":\"" + script.replace("\n", " ").replace("\"", "\\\"") + "\"}";
    done(
        0,
        new Operation.CreateScript(CONTAINER, ScriptKind.STORED_PROCEDURE, Body.json(definition)));
    for (Loss loss : List.of(Loss.REQUEST, Loss.ANSWER)) {
      nodes.lose(loss);
    }
    int lost = 0;
    for (int i = 0; i < ITEMS; i++) {
      var run = new Operation.ExecuteScript(ADD_SCRIPT, key(i), Body.json("[]"));
      Outcome outcome = nodes.outcome(0, run);
      if (outcome instanceof Refusal.Unavailable refusal) {
        assertTrue(refusal.toString().contains("was done"), refusal::toString);
        lost++;
      } else {
        assertInstanceOf(Outcome.ScriptDone.class, outcome, outcome::toString);
      }
      assertCount(1, i);
    }
    assertTrue(nodes.isLost());
    assertEquals(1, lost);
  }
}
