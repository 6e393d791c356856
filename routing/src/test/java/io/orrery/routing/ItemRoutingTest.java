package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {true, false})
class ItemRoutingTest {
  private static final PartitionKey A = PartitionKey.of("a");

  private final TestDatabase database;

  ItemRoutingTest(boolean repeatable) {
    database = new TestDatabase(repeatable);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void itemsLandInTheRangesOfTheirKeysAndAreFoundThere() {
    database.createKeyed(5);
    var counts = new HashMap<String, Integer>();
    for (int i = 0; i < 500; i++) {
      Answer created =
          database.answer(
              new Operation.CreateItem(
                  new ItemScope(CONTAINER, null), json("{'id':'x','pk':'k" + i + "'}")));
      assertInstanceOf(Outcome.ItemCreated.class, created.outcome());
      counts.merge(Objects.requireNonNull(created.position()).rangeId(), 1, Integer::sum);
    }
    assertEquals(5, counts.size(), counts.toString());
    counts.values().forEach(count -> assertTrue(count > 50, counts.toString()));
    for (int i = 0; i < 500; i++) {
      assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.of("k" + i), "x"));
    }
    database.restart();
    assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.of("k7"), "x"));
  }

  @Test
  void answersNameTheContainerAndThePosition() {
    Resource container = database.createKeyed(1);
    Answer created =
        database.answer(
            new Operation.CreateItem(new ItemScope(CONTAINER, A), json("{'id':'1','pk':'a'}")));
    assertEquals(new Answer.Owner("dbs/d/colls/c", container.rid()), created.owner());
    assertEquals(new Answer.Position("0", 1, 1), created.position());
    assertTrue(created.charge().units() > 0);
  }

  @Test
  void keyInTheHeaderMustBeTheItemsOwn() {
    database.createKeyed(2);
    assertInstanceOf(Refusal.PartitionKeyMismatch.class, database.create(A, "{'id':'1','pk':'b'}"));
    assertInstanceOf(
        Outcome.ItemCreated.class,
        database.create(PartitionKey.of(new KeyComponent.Num(5)), "{'id':'1','pk':5.0}"));
    assertInstanceOf(
        Outcome.ItemRead.class, database.read(PartitionKey.of(new KeyComponent.Num(5.0)), "1"));
  }

  @Test
  void undefinedAndNullAndEmptyKeysAreTold() {
    database.createKeyed(3);
    var undefined = PartitionKey.of(KeyComponent.Undefined.UNDEFINED);
    assertInstanceOf(Outcome.ItemCreated.class, database.create(undefined, "{'id':'1'}"));
    assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.EMPTY, "1"));
    assertEquals(
        new Refusal.NotFound(), database.read(PartitionKey.of(KeyComponent.Null.NULL), "1"));
    assertInstanceOf(Refusal.BadRequest.class, database.create(null, "{'id':'1','pk':[1]}"));
  }

  @Test
  void keyIsRequiredWhereTheBodyCannotTellIt() {
    database.createKeyed(1);
    assertEquals(
        new Refusal.BadRequest("PartitionKey value must be supplied for this operation."),
        database.read(null, "1"));
    var tooMany = PartitionKey.of(new KeyComponent.Num(1), new KeyComponent.Num(2));
    assertInstanceOf(Refusal.PartitionKeyMismatch.class, database.read(tooMany, "1"));
  }

  @Test
  void hierarchicalKeyIsNeededInFull() {
    database.createDatabase("d");
    database.createContainer(
        "{'id':'c','partitionKey':{'paths':['/t','/u'],'kind':'MultiHash','version':2}}",
        new Throughput.Manual(30_000));
    assertInstanceOf(Outcome.ItemCreated.class, database.create(null, "{'id':'1','t':'x','u':5}"));
    var whole = PartitionKey.of(new KeyComponent.Text("x"), new KeyComponent.Num(5));
    assertInstanceOf(Outcome.ItemRead.class, database.read(whole, "1"));
    var refused =
        assertInstanceOf(
            Refusal.PartitionKeyMismatch.class, database.read(PartitionKey.of("x"), "1"));
    assertTrue(refused.message().contains("fewer components"));
  }

  @Test
  void fixedContainerNeedsNoKey() {
    database.createDatabase("d");
    database.createContainer("{'id':'c'}", null);
    assertInstanceOf(Outcome.ItemCreated.class, database.create(null, "{'id':'1'}"));
    assertInstanceOf(Outcome.ItemRead.class, database.read(null, "1"));
    assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.EMPTY, "1"));
    assertEquals(new Refusal.Conflict(), database.create(null, "{'id':'1','pk':'other'}"));
  }

  @Test
  void itemsAreAddressedByRid() {
    Resource container = database.createKeyed(2);
    var created =
        assertInstanceOf(Outcome.ItemCreated.class, database.create(A, "{'id':'1','pk':'a'}"));
    String rid = ResourceId.item(container.rid(), created.item().counter());
    var ref = ContainerRef.of(ResourceId.databaseOf(container.rid()), container.rid());
    assertInstanceOf(
        Outcome.ItemRead.class,
        database.outcome(
            new Operation.ReadItem(
                new ItemScope(ref, A), new ItemRef.ByRid(rid), Precondition.NONE)));
  }

  @Test
  void limitsOfIdsKeysAndItemsHold() {
    database.createKeyed(1);
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.create(null, "{'id':'" + "x".repeat(256) + "','pk':'a'}"));
    assertInstanceOf(
        Outcome.ItemCreated.class,
        database.create(null, "{'id':'" + "x".repeat(255) + "','pk':'a'}"));
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.create(null, "{'id':'1','pk':'" + "ß".repeat(1_025) + "'}"));
    assertInstanceOf(
        Refusal.TooLarge.class,
        database.create(null, "{'id':'1','pk':'a','x':'" + "y".repeat(2 << 20) + "'}"));
    try (var today = new TestDatabase(true, Limits.TODAY)) {
      today.createKeyed(1);
      assertInstanceOf(
          Outcome.ItemCreated.class,
          today.create(null, "{'id':'" + "x".repeat(1_023) + "','pk':'a'}"));
      assertInstanceOf(
          Refusal.BadRequest.class,
          today.create(null, "{'id':'" + "ß".repeat(600) + "','pk':'a'}"));
    }
  }

  @Test
  void replaceMayRename() {
    database.createKeyed(1);
    database.create(A, "{'id':'1','pk':'a'}");
    assertInstanceOf(Outcome.ItemReplaced.class, replace("1", "{'id':'2','pk':'a'}"));
    assertInstanceOf(Refusal.NotFound.class, replace("1", "{'id':'1','pk':'a','n':1}"));
    assertInstanceOf(
        Refusal.BadRequest.class, replace("2", "{'id':'" + "x".repeat(300) + "','pk':'a'}"));
  }

  @Test
  void malformedItemsAreBadRequests() {
    database.createKeyed(1);
    for (String body : List.of("", "{", "[]", "{'pk':'a'}", "{'id':'a/b','pk':'a'}")) {
      assertInstanceOf(Refusal.BadRequest.class, database.create(null, body), body);
    }
  }

  @Test
  void staleContainerIsTold() {
    Resource container = database.createKeyed(1);
    var stale = new ContainerRef(CONTAINER.database(), "c", container.rid() + "x");
    assertEquals(
        new Refusal.StaleContainer(),
        database.outcome(
            new Operation.ReadItem(
                new ItemScope(stale, A), new ItemRef.ById("1"), Precondition.NONE)));
  }

  @Test
  void callsThatMeetADeletionEndAsOwnerNotFoundOrDone() throws Exception {
    database.createKeyed(3);
    List<Callable<Outcome>> calls = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String body = "{'id':'x','pk':'k" + i + "'}";
      calls.add(() -> database.create(null, body));
    }
    calls.add(
        150, () -> database.outcome(new Operation.DeleteContainer(CONTAINER, Precondition.NONE)));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var call : threads.invokeAll(calls)) {
        assertTrue(
            call.get() instanceof Outcome.ItemCreated
                || call.get() instanceof Outcome.ResourceDeleted
                || call.get().equals(new Refusal.OwnerNotFound()),
            call.get().toString());
      }
    }
    assertEquals(new Refusal.OwnerNotFound(), database.create(null, "{'id':'y','pk':'k'}"));
  }

  @Test
  void definitionsChangeUnderOpenPartitions() {
    database.createKeyed(1);
    double before = chargeOfCreate("1");
    database.outcome(
        new Operation.ReplaceContainer(
            CONTAINER,
            json(KEYED.replace("}}", "},'indexingPolicy':{'indexingMode':'none'}}")),
            Precondition.NONE));
    assertTrue(chargeOfCreate("2") < before, "nothing is indexed any more");
  }

  private double chargeOfCreate(String id) {
    return database
        .answer(
            new Operation.CreateItem(
                new ItemScope(CONTAINER, A),
                json("{'id':'" + id + "','pk':'a','x':1,'y':2,'z':3}")))
        .charge()
        .units();
  }

  private Outcome replace(String id, String body) {
    return database.outcome(
        new Operation.ReplaceItem(
            new ItemScope(CONTAINER, A), new ItemRef.ById(id), json(body), Precondition.NONE));
  }
}
