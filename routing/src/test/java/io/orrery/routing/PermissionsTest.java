package io.orrery.routing;

import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Etag;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PermissionRef;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.UserRef;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionsTest {
  private static final DatabaseRef DATABASE = new DatabaseRef("d");
  private static final String WHOLE =
      "{'id':'p','permissionMode':'all','resource':'/dbs/d/colls/c/'}";

  private final TokenedDatabase database = new TokenedDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  private Outcome outcome(Operation operation) {
    return database.database.outcome(operation);
  }

  private static UserRef user(String id) {
    return new UserRef(DATABASE, id);
  }

  @Test
  void usersAreMadeReadRenamedAndDeleted() {
    var created =
        assertInstanceOf(
                Outcome.ResourceCreated.class,
                outcome(new Operation.CreateUser(DATABASE, json("{'id':'v'}"))))
            .resource();
    assertTrue(created.self().endsWith("users/" + created.rid() + "/"), created.self());
    assertEquals(
        new Refusal.Conflict(), outcome(new Operation.CreateUser(DATABASE, json("{'id':'v'}"))));
    assertEquals(
        new Outcome.ResourceRead(created),
        outcome(new Operation.ReadUser(user(created.rid()), Precondition.NONE)));
    assertEquals(
        new Outcome.NotModified(created.etag()),
        outcome(new Operation.ReadUser(user("v"), new Precondition.EtagDiffers(created.etag()))));
    assertEquals(
        new Refusal.Conflict(),
        outcome(new Operation.ReplaceUser(user("v"), json("{'id':'u'}"), Precondition.NONE)));
    var renamed =
        assertInstanceOf(
                Outcome.ResourceReplaced.class,
                outcome(
                    new Operation.ReplaceUser(user("v"), json("{'id':'w'}"), Precondition.NONE)))
            .resource();
    assertEquals(created.rid(), renamed.rid());
    assertEquals(
        new Outcome.ResourceDeleted(),
        outcome(new Operation.DeleteUser(user("w"), new Precondition.EtagMatches(renamed.etag()))));
    assertEquals(
        new Refusal.NotFound(), outcome(new Operation.ReadUser(user("w"), Precondition.NONE)));
  }

  @Test
  void upsertedUserIsMadeThenReplaced() {
    var upsert = new Operation.UpsertUser(DATABASE, json("{'id':'v'}"), Precondition.NONE);
    assertInstanceOf(Outcome.ResourceCreated.class, outcome(upsert));
    assertInstanceOf(Outcome.ResourceReplaced.class, outcome(upsert));
  }

  @Test
  void permissionIsShownWithATokenThatIsNeverStored() {
    Resource created = database.permit(WHOLE);
    String json = created.definition().bytes().utf8();
    assertTrue(json.startsWith("{\"id\":\"p\",\"permissionMode\":\"All\""), json);
    assertTrue(json.contains("\"_token\":\"type=resource&ver=1&sig="), json);
    var ref = new PermissionRef(TokenedDatabase.USER, created.rid());
    database.clock.advance(java.time.Duration.ofSeconds(5));
    var read =
        assertInstanceOf(
            Outcome.ResourceRead.class,
            outcome(new Operation.ReadPermission(ref, Precondition.NONE, 60)));
    assertEquals(created.rid(), read.resource().rid());
    assertNotEquals(TokenedDatabase.tokenIn(created), TokenedDatabase.tokenIn(read.resource()));
  }

  @Test
  void resourceIsPermittedOncePerUserAndKey() {
    database.permit(WHOLE);
    String other = WHOLE.replace("'p'", "'q'");
    assertEquals(new Refusal.Conflict(), database.tryPermit(other, 60));
    assertEquals(new Refusal.Conflict(), database.tryPermit(WHOLE, 60));
    database.permit(other.replace("}", ",'resourcePartitionKey':['a']}"));
    assertEquals(
        new Refusal.Conflict(),
        database.tryPermit(
            other.replace("'q'", "'r'").replace("}", ",'resourcePartitionKey':['a']}"), 60));
    outcome(new Operation.CreateUser(DATABASE, json("{'id':'v'}")));
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        outcome(new Operation.CreatePermission(user("v"), json(WHOLE), 60)));
  }

  @Test
  void permissionsAreUpsertedReplacedListedAndDeleted() {
    var upsert =
        new Operation.UpsertPermission(TokenedDatabase.USER, json(WHOLE), Precondition.NONE, 60);
    assertInstanceOf(Outcome.ResourceCreated.class, outcome(upsert));
    assertInstanceOf(Outcome.ResourceReplaced.class, outcome(upsert));
    var ref = new PermissionRef(TokenedDatabase.USER, "p");
    assertEquals(
        new Refusal.PreconditionFailed(),
        outcome(
            new Operation.ReplacePermission(
                ref, json(WHOLE), new Precondition.EtagMatches(new Etag("\"x\"")), 60)));
    assertInstanceOf(
        Outcome.ResourceReplaced.class,
        outcome(
            new Operation.ReplacePermission(
                ref, json(WHOLE.replace("'p'", "'q'")), Precondition.NONE, 60)));
    var feed = new ResourceFeed.Permissions(TokenedDatabase.USER, 60);
    var page =
        assertInstanceOf(
            Outcome.ResourcePage.class,
            outcome(new Operation.ListResources(feed, PageRequest.FIRST, null)));
    assertEquals(List.of("q"), page.resources().stream().map(Resource::id).toList());
    var renamed = new PermissionRef(TokenedDatabase.USER, "q");
    var delete = new Operation.DeletePermission(renamed, Precondition.NONE);
    assertEquals(new Outcome.ResourceDeleted(), outcome(delete));
    assertEquals(new Refusal.NotFound(), outcome(delete));
  }

  @Test
  void usersAndPermissionsAreThereAfterARestart() {
    Resource created = database.permit(WHOLE);
    database.database.restart();
    var read =
        assertInstanceOf(
            Outcome.ResourceRead.class,
            outcome(
                new Operation.ReadPermission(
                    new PermissionRef(TokenedDatabase.USER, "p"), Precondition.NONE, 60)));
    assertEquals(created.etag(), read.resource().etag());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'permissionMode':'All','resource':'dbs/d/colls/c'}",
        "{'id':'p','resource':'dbs/d/colls/c'}",
        "{'id':'p','permissionMode':'Write','resource':'dbs/d/colls/c'}",
        "{'id':'p','permissionMode':'All'}",
        "{'id':'p','permissionMode':'All','resource':'dbs/d'}",
        "{'id':'p','permissionMode':'All','resource':'offers/x/colls/c'}",
        "{'id':'p','permissionMode':'All','resource':'dbs/d/colls/c/media/m'}",
        "{'id':'p','permissionMode':'All','resource':'dbs/e/colls/c'}",
        "{'id':'p','permissionMode':'All','resource':'dbs/d/colls/c','resourcePartitionKey':[]}",
        "{'id':'p','permissionMode':'All','resource':'dbs/d/colls/c',"
            + "'resourcePartitionKey':['a','b']}",
        "{'id':'p','permissionMode':'All','resource':'dbs/d/colls/c',"
            + "'resourcePartitionKey':[[1]]}",
        "[]"
      })
  void nonsenseIsRefused(String definition) {
    database.database.createDatabase("e");
    outcome(new Operation.CreateContainer(new DatabaseRef("e"), json(TestDatabase.KEYED), null));
    assertInstanceOf(Refusal.BadRequest.class, database.tryPermit(definition, 60));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dbs/d/colls/none", "dbs/d/colls/c/docs/none", "dbs/d/colls/c/udfs/none"})
  void resourceThatIsNotThereIsNotFound(String resource) {
    String definition = "{'id':'p','permissionMode':'All','resource':'" + resource + "'}";
    assertEquals(new Refusal.NotFound(), database.tryPermit(definition, 60));
  }

  @Test
  void ownersThatAreNotThereAreTold() {
    assertEquals(
        new Refusal.OwnerNotFound(),
        outcome(new Operation.CreateUser(new DatabaseRef("none"), json("{'id':'v'}"))));
    assertEquals(
        new Refusal.OwnerNotFound(),
        outcome(new Operation.CreatePermission(user("none"), json(WHOLE), 60)));
  }

  @Test
  void conflictsAndEncryptionKeysAreNone() {
    for (ResourceFeed feed :
        List.of(
            new ResourceFeed.Conflicts(TestDatabase.CONTAINER),
            new ResourceFeed.EncryptionKeys(DATABASE))) {
      assertEquals(
          new Outcome.ResourcePage(List.of(), null),
          outcome(new Operation.ListResources(feed, PageRequest.FIRST, null)));
    }
    assertEquals(
        new Refusal.NotFound(), outcome(new Operation.ReadConflict(TestDatabase.CONTAINER, "x")));
    assertEquals(
        new Refusal.NotFound(), outcome(new Operation.DeleteConflict(TestDatabase.CONTAINER, "x")));
  }
}
