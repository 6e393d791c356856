package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.Etag;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.SqlQuery;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptsTest {
  private final TestDatabase database = new TestDatabase(true);

  @BeforeEach
  void fill() {
    database.createKeyed(1);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static String script(String id, String source) {
    return "{'id':'"
        + id
        + "','body':'"
        + source
        + "','triggerType':'pre','triggerOperation':'all'}";
  }

  private Outcome tryCreate(ScriptKind kind, String definition) {
    return database.outcome(new Operation.CreateScript(CONTAINER, kind, json(definition)));
  }

  private Resource create(ScriptKind kind, String id) {
    return assertInstanceOf(
            Outcome.ResourceCreated.class, tryCreate(kind, script(id, "function () {}")))
        .resource();
  }

  private Outcome read(ScriptKind kind, String idOrRid) {
    return database.outcome(
        new Operation.ReadScript(new ScriptRef(CONTAINER, kind, idOrRid), Precondition.NONE));
  }

  private List<String> ids(ScriptKind kind) {
    var page =
        database.outcome(
            new Operation.ListResources(
                new ResourceFeed.Scripts(CONTAINER, kind), PageRequest.FIRST, null));
    return assertInstanceOf(Outcome.ResourcePage.class, page).resources().stream()
        .map(Resource::id)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(ScriptKind.class)
  void createdIsFoundByNameAndRidAlsoAfterARestart(ScriptKind kind) {
    Resource created = create(kind, "s");
    assertTrue(created.self().endsWith("/" + kind.feed() + "/" + created.rid() + "/"));
    assertEquals(new Outcome.ResourceRead(created), read(kind, "s"));
    database.restart();
    assertEquals(new Outcome.ResourceRead(created), read(kind, "s"));
    assertEquals(new Outcome.ResourceRead(created), read(kind, created.rid()));
  }

  @Test
  void kindsHaveTheirOwnNamesAndRids() {
    var rids = new HashSet<String>();
    for (ScriptKind kind : ScriptKind.values()) {
      rids.add(create(kind, "s").rid());
      assertEquals(new Refusal.Conflict(), tryCreate(kind, script("s", "x")));
      assertEquals(List.of("s"), ids(kind));
    }
    assertEquals(ScriptKind.values().length, rids.size());
  }

  @Test
  void readWithKnownEtagIsNotModified() {
    Resource created = create(ScriptKind.TRIGGER, "s");
    var ref = new ScriptRef(CONTAINER, ScriptKind.TRIGGER, "s");
    assertEquals(
        new Outcome.NotModified(created.etag()),
        database.outcome(
            new Operation.ReadScript(ref, new Precondition.EtagDiffers(created.etag()))));
  }

  @Test
  void replaceChangesTheTextAndMayRename() {
    Resource created = create(ScriptKind.STORED_PROCEDURE, "s");
    create(ScriptKind.STORED_PROCEDURE, "other");
    var ref = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s");
    assertEquals(
        new Refusal.PreconditionFailed(),
        database.outcome(
            new Operation.ReplaceScript(
                ref, json(script("s", "x")), new Precondition.EtagMatches(new Etag("\"x\"")))));
    assertEquals(
        new Refusal.Conflict(),
        database.outcome(
            new Operation.ReplaceScript(ref, json(script("other", "x")), Precondition.NONE)));
    var replaced =
        assertInstanceOf(
                Outcome.ResourceReplaced.class,
                database.outcome(
                    new Operation.ReplaceScript(
                        ref,
                        json(script("renamed", "x")),
                        new Precondition.EtagMatches(created.etag()))))
            .resource();
    assertEquals(created.rid(), replaced.rid());
    assertNotEquals(created.etag(), replaced.etag());
    assertEquals(json("{'id':'renamed','body':'x'}"), replaced.definition());
    assertEquals(new Refusal.NotFound(), read(ScriptKind.STORED_PROCEDURE, "s"));
  }

  @Test
  void deletedIsGoneAndItsRidIsNotUsedAgain() {
    Resource created = create(ScriptKind.USER_DEFINED_FUNCTION, "s");
    var ref = new ScriptRef(CONTAINER, ScriptKind.USER_DEFINED_FUNCTION, "s");
    var delete = new Operation.DeleteScript(ref, Precondition.NONE);
    assertEquals(new Outcome.ResourceDeleted(), database.outcome(delete));
    assertEquals(new Refusal.NotFound(), database.outcome(delete));
    database.restart();
    assertNotEquals(created.rid(), create(ScriptKind.USER_DEFINED_FUNCTION, "s").rid());
  }

  @Test
  void scriptsGoWithTheirContainerAndDatabase() {
    create(ScriptKind.STORED_PROCEDURE, "s");
    database.outcome(new Operation.DeleteContainer(CONTAINER, Precondition.NONE));
    assertEquals(new Refusal.OwnerNotFound(), read(ScriptKind.STORED_PROCEDURE, "s"));
    database.createContainer(TestDatabase.KEYED, null);
    assertEquals(List.of(), ids(ScriptKind.STORED_PROCEDURE));
    create(ScriptKind.STORED_PROCEDURE, "s");
    database.outcome(new Operation.DeleteDatabase(CONTAINER.database(), Precondition.NONE));
    database.restart();
    database.createKeyed(1);
    assertEquals(List.of(), ids(ScriptKind.STORED_PROCEDURE));
  }

  @Test
  void replacedContainerKeepsItsScripts() {
    create(ScriptKind.STORED_PROCEDURE, "s");
    database.outcome(
        new Operation.ReplaceContainer(CONTAINER, json(TestDatabase.KEYED), Precondition.NONE));
    assertEquals(List.of("s"), ids(ScriptKind.STORED_PROCEDURE));
  }

  @Test
  void feedComesInPagesAndIsQueried() {
    for (int i = 0; i < 3; i++) {
      create(ScriptKind.TRIGGER, "t" + i);
    }
    var feed = new ResourceFeed.Scripts(CONTAINER, ScriptKind.TRIGGER);
    var first =
        assertInstanceOf(
            Outcome.ResourcePage.class,
            database.outcome(new Operation.ListResources(feed, new PageRequest(2, null), null)));
    assertEquals(2, first.resources().size());
    var second =
        assertInstanceOf(
            Outcome.ResourcePage.class,
            database.outcome(
                new Operation.ListResources(feed, new PageRequest(2, first.continuation()), null)));
    assertEquals("t2", second.resources().getFirst().id());
    var query = new SqlQuery("SELECT VALUE c.triggerType FROM c WHERE c.id = 't1'", Map.of());
    assertEquals(
        new Outcome.RowPage(List.of(json("'Pre'")), null),
        database.outcome(new Operation.ListResources(feed, PageRequest.FIRST, query)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'body':'x','triggerType':'Pre','triggerOperation':'All'}",
        "{'id':'a/b','body':'x','triggerType':'Pre','triggerOperation':'All'}",
        "{'id':'a','triggerType':'Pre','triggerOperation':'All'}",
        "{'id':'a','body':7,'triggerType':'Pre','triggerOperation':'All'}",
        "{'id':'a','body':'x','triggerOperation':'All'}",
        "{'id':'a','body':'x','triggerType':'Pre'}",
        "{'id':'a','body':'x','triggerType':'During','triggerOperation':'All'}",
        "{'id':'a','body':'x','triggerType':'Pre','triggerOperation':'Read'}",
        "[]"
      })
  void nonsenseIsRefused(String definition) {
    assertInstanceOf(Refusal.BadRequest.class, tryCreate(ScriptKind.TRIGGER, definition));
  }

  @Test
  void sourceBeyondTheLimitIsTooLarge() {
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        tryCreate(ScriptKind.STORED_PROCEDURE, script("s", "x".repeat(256 << 10))));
    assertEquals(
        new Refusal.TooLarge((256 << 10) + 1, 256 << 10),
        tryCreate(ScriptKind.STORED_PROCEDURE, script("t", "x".repeat((256 << 10) + 1))));
  }

  @Test
  void containerThatIsNotThereIsTold() {
    assertEquals(
        new Refusal.OwnerNotFound(),
        database.outcome(
            new Operation.CreateScript(
                ContainerRef.of("d", "none"),
                ScriptKind.TRIGGER,
                json(script("s", "function () {}")))));
  }
}
