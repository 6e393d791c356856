package io.orrery.routing;

import static io.orrery.routing.ThrottledDatabase.assertLetIn;
import static io.orrery.routing.ThrottledDatabase.throttled;
import static io.orrery.routing.ThrottledDatabase.unitsUntilThrottled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ItemOperation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Throughput;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large bodies cost units by their size, whatever becomes of them, and before they are parsed. */
class BodyThrottlingTest {
  private static final int LARGE_BYTES = 2_000_000;

  /** About what reading an item of the size costs. */
  private static final double LARGE_UNITS = 278;

  private static final Precondition NONE = Precondition.NONE;

  private ThrottledDatabase database = ThrottledDatabase.enforcing();

  @AfterEach
  void close() {
    database.close();
  }

  private void create(int units) {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(units));
  }

  private static ItemScope scope(@Nullable String key) {
    return new ItemScope(ContainerRef.of("d", "c"), key == null ? null : PartitionKey.of(key));
  }

  private static Body item(String id, String key, int bytes) {
    String text = "x".repeat(bytes);
    return TestDatabase.json("{'id':'%s','pk':'%s','t':'%s'}".formatted(id, key, text));
  }

  /** What is wrong stands at its end. */
  private static Body malformed(int bytes) {
    String whole = item("1", "a", bytes).bytes().utf8();
    return Body.json(whole.substring(0, whole.length() - 1));
  }

  private static List<ItemOperation> withMalformedBodies(@Nullable String key) {
    Body body = malformed(LARGE_BYTES);
    return List.of(
        new Operation.CreateItem(scope(key), body),
        new Operation.UpsertItem(scope(key), body, NONE),
        new Operation.ReplaceItem(scope(key), new ItemRef.ById("1"), body, NONE));
  }

  private Answer execute(Operation operation) {
    return database.database.execute(operation);
  }

  @Test
  void largeMalformedBodiesAreChargedUntilTheirRangeIsThrottled() {
    create(400);
    for (String key : new String[] {"a", null}) {
      for (ItemOperation operation : withMalformedBodies(key)) {
        database.pass(20_000);
        Answer refused = execute(operation);
        assertInstanceOf(Refusal.BadRequest.class, refused.outcome());
        assertEquals(LARGE_UNITS, refused.charge().units(), 1);
        database.pass(20_000);
        assertEquals(400, unitsUntilThrottled(() -> execute(operation)), LARGE_UNITS);
        throttled(database.read("c", "a"));
      }
    }
  }

  @Test
  void aThrottledRangeRefusesLargeBodiesBeforeTheyAreParsed() {
    create(400);
    database.readsUntilThrottled("c", "a");
    for (String key : new String[] {"a", null}) {
      for (ItemOperation operation : withMalformedBodies(key)) {
        Answer refused = execute(operation);
        throttled(refused);
        assertEquals(RequestCharge.NONE, refused.charge());
      }
    }
    var batch = new Operation.ExecuteBatch(scope("a"), withMalformedBodies("a"));
    throttled(execute(batch));
  }

  @Test
  void smallMalformedBodiesStayFree() {
    create(400);
    database.readsUntilThrottled("c", "a");
    for (int i = 0; i < 1_000; i++) {
      Answer refused = execute(new Operation.CreateItem(scope("a"), malformed(10_000)));
      assertInstanceOf(Refusal.BadRequest.class, refused.outcome());
      assertEquals(RequestCharge.NONE, refused.charge());
    }
  }

  @Test
  void meteringCountsLargeBodiesAndRefusesNone() {
    database.close();
    database = ThrottledDatabase.metering();
    create(400);
    double units = 0;
    for (int i = 0; i < 20; i++) {
      for (ItemOperation operation : withMalformedBodies("a")) {
        Answer refused = execute(operation);
        assertInstanceOf(Refusal.BadRequest.class, refused.outcome());
        units += refused.charge().units();
      }
    }
    assertTrue(units > 400, "units: " + units);
    assertEquals(units, database.usage("c").getFirst().unitsUsed(), 0.001);
  }

  @Test
  void batchesPayForTheirBodiesThoughNoneIsWritten() {
    create(400);
    var batch = new Operation.ExecuteBatch(scope("a"), withMalformedBodies("a"));
    Answer refused = execute(batch);
    assertInstanceOf(Outcome.StepsDone.class, refused.outcome());
    assertTrue(refused.charge().units() > 3 * LARGE_UNITS, refused.charge()::toString);
    throttled(execute(batch));
  }

  /** Each of its bodies is small. */
  @Test
  void bulkPaysForItsBodiesThoughNoneIsWritten() {
    create(400);
    Body withoutId = TestDatabase.json("{'pk':'a','t':'" + "x".repeat(15_000) + "'}");
    ItemOperation step = new Operation.CreateItem(scope("a"), withoutId);
    var container = ContainerRef.of("d", "c");
    var bulk = new Operation.ExecuteBulk(container, Collections.nCopies(100, step), false);
    Answer refused = execute(bulk);
    assertEquals(209, refused.charge().units(), 2);
    assertEquals(refused.charge().units(), database.usage("c").getFirst().unitsUsed(), 0.001);
  }

  @Test
  void largeItemsThatAreThereAlreadyAreCharged() {
    create(400);
    var create = new Operation.CreateItem(scope("a"), item("1", "a", LARGE_BYTES));
    assertInstanceOf(Outcome.ItemCreated.class, execute(create).outcome());
    database.pass(20_000);
    Answer refused = execute(create);
    assertInstanceOf(Refusal.Conflict.class, refused.outcome());
    assertEquals(LARGE_UNITS, refused.charge().units(), 1);
    database.pass(20_000);
    assertEquals(refused.charge().units() * 2, unitsUntilThrottled(() -> execute(create)), 0.01);
  }

  /** Until it is parsed, nobody knows whose it is. */
  @Test
  void aBodyWithoutAKeyInTheHeadersIsChargedToItsOwnRange() {
    create(20_000);
    List<String> keys = database.keyPerRange("c");
    String last = keys.getLast();
    Answer created = execute(new Operation.CreateItem(scope(null), item("1", last, LARGE_BYTES)));
    assertInstanceOf(Outcome.ItemCreated.class, created.outcome());
    assertEquals(0, database.usage("c").getFirst().unitsUsed());
    assertEquals(created.charge().units(), database.usage("c").getLast().unitsUsed(), 0.001);
    assertEquals(10_000, database.readsUntilThrottled("c", keys.getFirst()));
  }

  @Test
  void containersThatShareThroughputAreChargedOnce() {
    database.createDatabase(new Throughput.Manual(400));
    database.createContainer("c", null);
    Answer created = execute(new Operation.CreateItem(scope(null), item("1", "a", LARGE_BYTES)));
    assertInstanceOf(Outcome.ItemCreated.class, created.outcome());
    database.pass(20_000);
    assertLetIn(database.read("c", "a"));
  }
}
