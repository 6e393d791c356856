package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Etag;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {true, false})
class ResourcesTest {
  private static final DatabaseRef DATABASE = new DatabaseRef("d");

  private final TestDatabase database;

  ResourcesTest(boolean repeatable) {
    database = new TestDatabase(repeatable);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void createdDatabaseIsReadByNameAndByRid() {
    Resource created = database.createDatabase("d");
    assertEquals(created, readDatabase("d"));
    assertEquals(created, readDatabase(created.rid()));
    assertEquals("dbs/" + created.rid() + "/", created.self());
    assertEquals(json("{'id':'d'}"), created.definition());
  }

  @Test
  void idsThatReadAsRidsAreRefused() {
    Resource first = database.createDatabase("d");
    refused(new Operation.CreateDatabase(json("{'id':'" + first.rid() + "'}"), null));
    // Not even before there is such a resource.
    refused(new Operation.CreateDatabase(json("{'id':'AAAAfw=='}"), null));
    Resource container = database.createContainer(KEYED, null);
    assertEquals(first, readDatabase(first.rid()));
    String taken = "{'id':'" + container.rid() + "','partitionKey':{'paths':['/pk']}}";
    refused(new Operation.CreateContainer(DATABASE, json(taken), null));
    refused(new Operation.CreateUser(DATABASE, json("{'id':'" + container.rid() + "'}")));
    database.createDatabase("other");
    // In another database it names nothing else.
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        database.outcome(
            new Operation.CreateContainer(new DatabaseRef("other"), json(taken), null)));
    for (String harmless : List.of("d=", "abcd==", "Zm9vYmFyYmF6cXV4Zm9vYg==", "orders=2026")) {
      database.createDatabase(harmless);
    }
  }

  private void refused(Operation operation) {
    var refused = assertInstanceOf(Refusal.BadRequest.class, database.outcome(operation));
    assertTrue(refused.message().contains("_rid"), refused.message());
  }

  @Test
  void tablesHaveNamesWithoutRegardToCase() {
    database.createDatabase(DatabaseRef.TABLES.idOrRid());
    database.createDatabase("d");
    for (DatabaseRef owner : List.of(DATABASE, DatabaseRef.TABLES)) {
      assertInstanceOf(Outcome.ResourceCreated.class, create(owner, "orders"));
    }
    assertEquals(new Refusal.Conflict(), create(DatabaseRef.TABLES, "Orders"));
    assertInstanceOf(Outcome.ResourceCreated.class, create(DATABASE, "Orders"));
    var read =
        new Operation.ReadContainer(
            new ContainerRef(DatabaseRef.TABLES, "ORDERS", null), Precondition.NONE);
    assertEquals(
        "orders",
        assertInstanceOf(Outcome.ContainerRead.class, database.outcome(read)).resource().id());
  }

  private Outcome create(DatabaseRef owner, String id) {
    String definition = "{'id':'" + id + "','partitionKey':{'paths':['/pk']}}";
    return database.outcome(new Operation.CreateContainer(owner, json(definition), null));
  }

  @Test
  void takenNameIsAConflict() {
    database.createDatabase("d");
    assertEquals(
        new Refusal.Conflict(),
        database.outcome(new Operation.CreateDatabase(json("{'id':'d'}"), null)));
    database.createContainer(KEYED, null);
    assertEquals(new Refusal.Conflict(), database.tryCreateContainer(KEYED, null));
  }

  @Test
  void missingResourcesAreNotFound() {
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(new Operation.ReadDatabase(DATABASE, Precondition.NONE)));
    assertEquals(
        new Refusal.OwnerNotFound(),
        database.outcome(new Operation.ReadContainer(CONTAINER, Precondition.NONE)));
    assertEquals(new Refusal.OwnerNotFound(), database.tryCreateContainer(KEYED, null));
    assertEquals(new Refusal.OwnerNotFound(), database.read(PartitionKey.of("a"), "1"));
    database.createDatabase("d");
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(new Operation.ReadContainer(CONTAINER, Precondition.NONE)));
    assertEquals(new Refusal.OwnerNotFound(), database.read(PartitionKey.of("a"), "1"));
  }

  @Test
  void containerIsReadByNamesAndByRidsAndNamesItsOwner() {
    Resource owner = database.createDatabase("d");
    Resource created = database.createContainer(KEYED, null);
    for (ContainerRef ref :
        List.of(
            CONTAINER,
            ContainerRef.of(owner.rid(), created.rid()),
            ContainerRef.of("d", created.rid()))) {
      var answer = database.answer(new Operation.ReadContainer(ref, Precondition.NONE));
      assertEquals(new Outcome.ContainerRead(created, 100), answer.outcome());
      assertEquals(new io.orrery.operation.Answer.Owner("dbs/d", owner.rid()), answer.owner());
      assertEquals(2.0, answer.charge().units());
    }
    assertEquals(owner.self() + "colls/" + created.rid() + "/", created.self());
  }

  @Test
  void knownEtagIsNotModified() {
    Resource created = database.createDatabase("d");
    assertEquals(
        new Outcome.NotModified(created.etag()),
        database.outcome(
            new Operation.ReadDatabase(DATABASE, new Precondition.EtagDiffers(created.etag()))));
  }

  @Test
  void everythingIsThereAfterARestart() {
    Resource owner = database.createDatabase("d");
    Resource created = database.createContainer(KEYED, new Throughput.Manual(25_000));
    database.restart();
    assertEquals(owner, readDatabase("d"));
    assertEquals(created, readContainer());
    assertEquals(3, ranges().ranges().size());
    assertNotEquals(owner.rid(), database.createDatabase("other").rid());
  }

  @Test
  void replaceChangesPoliciesAndKeepsTheRest() {
    database.createDatabase("d");
    Resource created = database.createContainer(KEYED, null);
    var replaced =
        replace(
            "{'id':'c','partitionKey':{'paths':['/pk'],'version':'V2'},'defaultTtl':60,"
                + "'indexingPolicy':{'includedPaths':[{'path':'/*'}],"
                + "'excludedPaths':[{'path':'/a/?'}]}}",
            Precondition.NONE);
    Resource changed = assertInstanceOf(Outcome.ResourceReplaced.class, replaced).resource();
    assertEquals(created.rid(), changed.rid());
    assertNotEquals(created.etag(), changed.etag());
    assertTrue(changed.definition().bytes().utf8().contains("\"defaultTtl\":60"));
    assertEquals(changed, readContainer());
  }

  @Test
  void replaceOfIdKeyOrUniqueKeysIsRefused() {
    database.createDatabase("d");
    database.createContainer(
        "{'id':'c','partitionKey':{'paths':['/pk']},"
            + "'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/a']}]}}",
        null);
    assertInstanceOf(
        Refusal.BadRequest.class,
        replace("{'id':'x','partitionKey':{'paths':['/pk']}}", Precondition.NONE));
    assertInstanceOf(
        Refusal.BadRequest.class,
        replace("{'id':'c','partitionKey':{'paths':['/other']}}", Precondition.NONE));
    assertInstanceOf(
        Refusal.BadRequest.class,
        replace("{'id':'c','partitionKey':{'paths':['/pk'],'version':2}}", Precondition.NONE));
    assertEquals(
        new Refusal.Forbidden("The unique index cannot be modified"),
        replace("{'id':'c','partitionKey':{'paths':['/pk']}}", Precondition.NONE));
  }

  @Test
  void staleEtagIsAFailedPrecondition() {
    database.createDatabase("d");
    database.createContainer(KEYED, null);
    var stale = new Precondition.EtagMatches(new Etag("\"stale\""));
    assertEquals(new Refusal.PreconditionFailed(), replace(KEYED, stale));
    assertEquals(
        new Refusal.PreconditionFailed(),
        database.outcome(new Operation.DeleteContainer(CONTAINER, stale)));
    assertEquals(
        new Refusal.PreconditionFailed(),
        database.outcome(new Operation.DeleteDatabase(DATABASE, stale)));
  }

  @Test
  void deletedContainerIsGoneWithItsPartitions() {
    database.createKeyed(3);
    database.create(null, "{'id':'1','pk':'a'}");
    assertEquals(4, database.storage.list().size());
    assertEquals(
        new Outcome.ResourceDeleted(),
        database.outcome(new Operation.DeleteContainer(CONTAINER, Precondition.NONE)));
    assertEquals(new Refusal.OwnerNotFound(), database.read(PartitionKey.of("a"), "1"));
    database.restart();
    assertEquals(1, database.storage.list().size());
  }

  @Test
  void containerCreatedAnewIsNotTakenForTheOldOne() {
    Resource old = database.createKeyed(1);
    database.outcome(new Operation.DeleteContainer(CONTAINER, Precondition.NONE));
    Resource created = database.createContainer(KEYED, null);
    assertNotEquals(old.rid(), created.rid());
    var intended = new ContainerRef(DATABASE, "c", old.rid());
    assertEquals(
        new Refusal.StaleContainer(),
        database.outcome(new Operation.ReadContainer(intended, Precondition.NONE)));
  }

  @Test
  void deletedDatabaseTakesItsContainersAndOffersAlong() {
    database.createDatabase("d", new Throughput.Manual(400));
    database.createContainer(KEYED, new Throughput.Manual(400));
    database.outcome(new Operation.DeleteDatabase(DATABASE, Precondition.NONE));
    database.createDatabase("d");
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(new Operation.ReadContainer(CONTAINER, Precondition.NONE)));
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(
            new Operation.ReadOffer(io.orrery.operation.ResourceId.offer(1), Precondition.NONE)));
  }

  @Test
  void fixedContainerHasNoKeyAndOneRange() {
    database.createDatabase("d");
    Resource fixed = database.createContainer("{'id':'c'}", new Throughput.Manual(10_000));
    assertTrue(!fixed.definition().bytes().utf8().contains("partitionKey"));
    assertEquals(1, ranges().ranges().size());
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.tryCreateContainer("{'id':'big'}", new Throughput.Manual(20_000)));
    assertInstanceOf(
        Outcome.ResourceReplaced.class, replace("{'id':'c','defaultTtl':5}", Precondition.NONE));
  }

  @Test
  void fixedContainerIsNotOfferedToday() {
    try (var today = new TestDatabase(true, Limits.TODAY)) {
      today.createDatabase("d");
      assertInstanceOf(Refusal.BadRequest.class, today.tryCreateContainer("{'id':'c'}", null));
    }
  }

  @Test
  void rangesAreToldOnceToThoseWhoKnowThem() {
    Resource created = database.createKeyed(5);
    var ranges = ranges();
    assertEquals(
        List.of("0", "1", "2", "3", "4"), ranges.ranges().stream().map(r -> r.id()).toList());
    assertEquals(0.2, ranges.ranges().getFirst().throughputFraction());
    var again = database.answer(new Operation.ReadPartitionKeyRanges(CONTAINER, ranges.etag()));
    assertEquals(new Outcome.NotModified(ranges.etag()), again.outcome());
    assertEquals(
        new io.orrery.operation.Answer.Owner("dbs/d/colls/c", created.rid()), again.owner());
    replace(KEYED.replace("}}", "},'defaultTtl':9}"), Precondition.NONE);
    assertEquals(ranges, ranges(), "a replaced definition does not change the map");
  }

  @Test
  void exactlyOneOfManyCreatesOfOneNameWins() throws Exception {
    database.createDatabase("d");
    List<Callable<Outcome>> creates = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      creates.add(() -> database.tryCreateContainer(KEYED, new Throughput.Manual(20_000)));
    }
    int won = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Outcome> created : threads.invokeAll(creates)) {
        if (created.get() instanceof Outcome.ResourceCreated) {
          won++;
        } else {
          assertEquals(new Refusal.Conflict(), created.get());
        }
      }
    }
    assertEquals(1, won);
    database.restart();
    assertEquals(3, database.storage.list().size(), "the losers' partitions are dropped");
  }

  @Test
  void malformedBodiesAreBadRequests() {
    for (String body : List.of("", "[]", "{", "{'id':1}", "{'id':'a/b'}", "{'id':'x','id':'x'}")) {
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.outcome(new Operation.CreateDatabase(json(body), null)),
          body);
    }
  }

  private Resource readDatabase(String idOrRid) {
    var read =
        database.outcome(new Operation.ReadDatabase(new DatabaseRef(idOrRid), Precondition.NONE));
    return assertInstanceOf(Outcome.ResourceRead.class, read).resource();
  }

  private Resource readContainer() {
    var read = database.outcome(new Operation.ReadContainer(CONTAINER, Precondition.NONE));
    return assertInstanceOf(Outcome.ContainerRead.class, read).resource();
  }

  private Outcome replace(String definition, Precondition precondition) {
    return database.outcome(
        new Operation.ReplaceContainer(CONTAINER, json(definition), precondition));
  }

  private Outcome.Ranges ranges() {
    return assertInstanceOf(
        Outcome.Ranges.class,
        database.outcome(new Operation.ReadPartitionKeyRanges(CONTAINER, null)));
  }
}
