package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Admission;
import io.orrery.operation.Body;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Grant;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PermissionRef;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.SqlQuery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenGateTest {
  private static final String WHOLE = "dbs/d/colls/c";

  private final TokenedDatabase database = new TokenedDatabase();

  @BeforeEach
  void fill() {
    database.database.create(null, "{'id':'i','pk':'a'}");
    database.database.create(null, "{'id':'j','pk':'b'}");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static ItemScope in(String key) {
    return new ItemScope(CONTAINER, PartitionKey.of(key));
  }

  private static Operation read(String id, String key) {
    return new Operation.ReadItem(in(key), new ItemRef.ById(id), Precondition.NONE);
  }

  private static Operation replace(String id, String key) {
    Body body = json("{'id':'" + id + "','pk':'" + key + "','n':1}");
    return new Operation.ReplaceItem(in(key), new ItemRef.ById(id), body, Precondition.NONE);
  }

  private static Operation query(FeedScope scope) {
    return new Operation.QueryItems(
        CONTAINER,
        new SqlQuery("SELECT * FROM c", Map.of()),
        scope,
        PageRequest.FIRST,
        QueryOptions.ANYWHERE);
  }

  private void assertForbidden(String token, Operation operation) {
    assertInstanceOf(Refusal.Forbidden.class, database.outcome(token, operation));
  }

  private void assertAllowed(String token, Operation operation) {
    assertInstanceOf(Outcome.Success.class, database.outcome(token, operation));
  }

  @Test
  void containerTokenForReadingReads() {
    String token = database.token("p", "Read", WHOLE, "");
    assertAllowed(token, read("i", "a"));
    assertAllowed(token, query(new FeedScope.Whole()));
    assertAllowed(token, new Operation.ReadContainer(CONTAINER, Precondition.NONE));
    assertForbidden(token, replace("i", "a"));
    assertForbidden(token, new Operation.CreateItem(in("a"), json("{'id':'new','pk':'a'}")));
    assertForbidden(token, new Operation.DeleteContainer(CONTAINER, Precondition.NONE));
  }

  @Test
  void batchNeedsWhatItsStepsNeed() {
    String token = database.token("p", "Read", WHOLE, "");
    var reading = new Operation.ReadItem(in("a"), new ItemRef.ById("i"), Precondition.NONE);
    var writing = new Operation.CreateItem(in("a"), json("{'id':'k','pk':'a'}"));
    assertAllowed(token, new Operation.ExecuteBatch(in("a"), List.of(reading)));
    assertForbidden(token, new Operation.ExecuteBatch(in("a"), List.of(reading, writing)));
    assertForbidden(token, new Operation.ExecuteBulk(CONTAINER, List.of(writing), false));
  }

  @Test
  void keyTokenStaysWithinItsKey() {
    String token = database.token("p", "All", WHOLE, ",'resourcePartitionKey':['a']");
    assertAllowed(token, read("i", "a"));
    assertAllowed(token, replace("i", "a"));
    assertForbidden(token, read("j", "b"));
    assertAllowed(token, query(new FeedScope.OfKey(PartitionKey.of("a"))));
    assertForbidden(token, query(new FeedScope.OfKey(PartitionKey.of("b"))));
    assertForbidden(token, query(new FeedScope.Whole()));
    assertForbidden(token, query(new FeedScope.OfRange("0", null)));
    var other = new Operation.CreateItem(in("b"), json("{'id':'k','pk':'b'}"));
    assertForbidden(token, new Operation.ExecuteBulk(CONTAINER, List.of(other), false));
    assertForbidden(
        token,
        new Operation.CreateItem(new ItemScope(CONTAINER, null), json("{'id':'k','pk':'a'}")));
    var smuggled = new Operation.CreateItem(in("a"), json("{'id':'k','pk':'b'}"));
    assertInstanceOf(Refusal.PartitionKeyMismatch.class, database.outcome(token, smuggled));
  }

  @Test
  void itemTokenOpensThatItemOnly() {
    String token = database.token("p", "All", WHOLE + "/docs/i", "");
    assertAllowed(token, read("i", "a"));
    assertAllowed(token, replace("i", "a"));
    assertForbidden(token, read("j", "b"));
    assertForbidden(token, read("none", "a"));
    assertForbidden(token, query(new FeedScope.OfKey(PartitionKey.of("a"))));
    assertForbidden(
        token, new Operation.UpsertItem(in("a"), json("{'id':'i','pk':'a'}"), Precondition.NONE));
    assertAllowed(token, new Operation.ReadContainer(CONTAINER, Precondition.NONE));
    var delete = new Operation.DeleteItem(in("a"), new ItemRef.ById("i"), Precondition.NONE);
    assertAllowed(token, delete);
    database.database.create(null, "{'id':'i','pk':'a'}");
    assertForbidden(token, read("i", "a"));
    assertForbidden(token, delete);
  }

  @Test
  void itemMayBeNamedByItsLinkOfRids() {
    var outcome = database.database.read(PartitionKey.of("a"), "i");
    long counter = assertInstanceOf(Outcome.ItemRead.class, outcome).item().counter();
    var container =
        assertInstanceOf(
                Outcome.ContainerRead.class,
                database.database.outcome(
                    new Operation.ReadContainer(CONTAINER, Precondition.NONE)))
            .resource();
    String rid = io.orrery.operation.ResourceId.item(container.rid(), counter);
    String token = database.token("p", "Read", container.self() + "docs/" + rid + "/", "");
    assertAllowed(token, read("i", "a"));
    assertForbidden(token, read("j", "b"));
  }

  @Test
  void itemsOfOneNameNeedTheKey() {
    database.database.create(null, "{'id':'i','pk':'b'}");
    String definition = "{'id':'p','permissionMode':'Read','resource':'dbs/d/colls/c/docs/i'}";
    assertInstanceOf(Refusal.BadRequest.class, database.tryPermit(definition, 60));
    String token = database.token("p", "Read", WHOLE + "/docs/i", ",'resourcePartitionKey':['b']");
    assertAllowed(token, read("i", "b"));
    assertForbidden(token, read("i", "a"));
  }

  @Test
  void scriptTokenReadsThatScriptOnly() {
    for (String id : List.of("s", "t")) {
      database.database.outcome(
          new Operation.CreateScript(
              CONTAINER, ScriptKind.STORED_PROCEDURE, json("{'id':'" + id + "','body':'x'}")));
    }
    String token = database.token("p", "All", WHOLE + "/sprocs/s", "");
    var one = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s");
    var other = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "t");
    assertAllowed(token, new Operation.ReadScript(one, Precondition.NONE));
    assertForbidden(token, new Operation.ReadScript(other, Precondition.NONE));
    assertForbidden(token, new Operation.DeleteScript(one, Precondition.NONE));
    assertForbidden(token, read("i", "a"));
    Grant grant = database.grant(token);
    database.database.outcome(new Operation.DeleteScript(one, Precondition.NONE));
    assertInstanceOf(Admission.Refused.class, database.admit(token));
    assertInstanceOf(
        Refusal.Forbidden.class,
        database.outcome(grant, new Operation.ReadContainer(CONTAINER, Precondition.NONE)));
  }

  @Test
  void scriptTokenRunsWithItsKeyOnly() {
    database.database.outcome(
        new Operation.CreateScript(
            CONTAINER, ScriptKind.STORED_PROCEDURE, json("{'id':'s','body':'function () {}'}")));
    String token = database.token("p", "All", WHOLE + "/sprocs/s", ",'resourcePartitionKey':['a']");
    var script = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s");
    assertAllowed(token, new Operation.ExecuteScript(script, PartitionKey.of("a"), json("[]")));
    assertForbidden(token, new Operation.ExecuteScript(script, PartitionKey.of("b"), json("[]")));
    assertForbidden(token, new Operation.ExecuteScript(script, null, json("[]")));
  }

  @Test
  void scriptsAreRunByThoseWhoMayWriteAllOrHaveThatScript() {
    for (String id : List.of("s", "t")) {
      createProcedure(id);
    }
    String whole = database.token("w", "All", WHOLE, "");
    assertAllowed(whole, run("s"));
    assertInstanceOf(Refusal.BadRequest.class, database.outcome(whole, triggered()));
    String one = database.token("o", "All", WHOLE + "/sprocs/s", "");
    assertAllowed(one, run("s"));
    assertForbidden(one, run("t"));
    assertForbidden(one, triggered());
  }

  @Test
  void whoMayOnlyReadRunsNothing() {
    createProcedure("s");
    String token = database.token("r", "Read", WHOLE, "");
    assertForbidden(token, run("s"));
    assertForbidden(token, triggered());
  }

  @Test
  void whoHasAKeyRunsScriptsWithinIt() {
    createProcedure("s");
    String token = database.token("k", "All", WHOLE, ",'resourcePartitionKey':['a']");
    assertAllowed(token, run("s"));
    var script = new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "s");
    assertForbidden(token, new Operation.ExecuteScript(script, PartitionKey.of("b"), json("[]")));
    assertForbidden(token, new Operation.ExecuteScript(script, null, json("[]")));
    assertForbidden(token, new Operation.ReadScript(script, Precondition.NONE));
    // Allowed, but there is no such trigger.
    assertInstanceOf(Refusal.BadRequest.class, database.outcome(token, triggered()));
    var elsewhere = new Operation.DeleteItem(in("b"), new ItemRef.ById("j"), Precondition.NONE);
    assertForbidden(
        token, new Operation.ExecuteWithTriggers(elsewhere, List.of("none"), List.of()));
  }

  @Test
  void whoReadsAKeyReadsItsChangesAndRunsNothing() {
    String token = database.token("k", "Read", WHOLE, ",'resourcePartitionKey':['a']");
    assertForbidden(token, run("s"));
    assertForbidden(token, triggered());
    assertAllowed(token, changes(new FeedScope.OfKey(PartitionKey.of("a"))));
    assertForbidden(token, changes(new FeedScope.OfKey(PartitionKey.of("b"))));
    assertForbidden(token, changes(new FeedScope.OfRange("0", null)));
    assertForbidden(token, changes(new FeedScope.Whole()));
  }

  private static Operation changes(FeedScope scope) {
    return new Operation.ReadChanges(CONTAINER, scope, new ChangeStart.Beginning(), 10, false);
  }

  private void createProcedure(String id) {
    database.database.outcome(
        new Operation.CreateScript(
            CONTAINER,
            ScriptKind.STORED_PROCEDURE,
            json("{'id':'" + id + "','body':'function () {}'}")));
  }

  private static Operation triggered() {
    return new Operation.ExecuteWithTriggers(
        new Operation.DeleteItem(in("a"), new ItemRef.ById("i"), Precondition.NONE),
        List.of("none"),
        List.of());
  }

  private static Operation run(String procedure) {
    return new Operation.ExecuteScript(
        new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, procedure),
        PartitionKey.of("a"),
        json("[]"));
  }

  @Test
  void tokenIsForItsContainerOnly() {
    database.database.createContainer(KEYED.replace("'c'", "'other'"), null);
    String token = database.token("p", "All", WHOLE, "");
    assertForbidden(
        token, new Operation.ReadContainer(ContainerRef.of("d", "other"), Precondition.NONE));
    assertForbidden(
        token, new Operation.ReadContainer(ContainerRef.of("d", "none"), Precondition.NONE));
    assertForbidden(token, new Operation.ReadDatabase(new DatabaseRef("d"), Precondition.NONE));
    assertForbidden(token, new Operation.SurveyContainers());
  }

  @Test
  void tokenEndsWithItsTime() {
    String token = database.token("p", "Read", WHOLE, "");
    Grant grant = database.grant(token);
    database.clock.advance(Duration.ofSeconds(Grant.VALID_SECONDS_DEFAULT - 60));
    assertAllowed(token, read("i", "a"));
    database.clock.advance(Duration.ofSeconds(60));
    assertInstanceOf(Admission.Refused.class, database.admit(token));
    // Also a request that was let in before, and whose body came late.
    assertInstanceOf(Refusal.Forbidden.class, database.outcome(grant, read("i", "a")));
  }

  @Test
  void replacedPermissionEndsItsTokens() {
    String token = database.token("p", "All", WHOLE, "");
    var ref = new PermissionRef(TokenedDatabase.USER, "p");
    var replaced =
        assertInstanceOf(
            Outcome.ResourceReplaced.class,
            database.database.outcome(
                new Operation.ReplacePermission(
                    ref,
                    json("{'id':'p','permissionMode':'Read','resource':'" + WHOLE + "'}"),
                    Precondition.NONE,
                    60)));
    assertInstanceOf(Admission.Refused.class, database.admit(token));
    assertAllowed(TokenedDatabase.tokenIn(replaced.resource()), read("i", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"permission", "user", "container", "database"})
  void tokenEndsWith(String gone) {
    String token = database.token("p", "All", WHOLE, "");
    Operation operation =
        switch (gone) {
          case "permission" ->
              new Operation.DeletePermission(
                  new PermissionRef(TokenedDatabase.USER, "p"), Precondition.NONE);
          case "user" -> new Operation.DeleteUser(TokenedDatabase.USER, Precondition.NONE);
          case "container" -> new Operation.DeleteContainer(CONTAINER, Precondition.NONE);
          default -> new Operation.DeleteDatabase(new DatabaseRef("d"), Precondition.NONE);
        };
    assertInstanceOf(Outcome.ResourceDeleted.class, database.database.outcome(operation));
    assertInstanceOf(Admission.Refused.class, database.admit(token));
    if (gone.equals("container")) {
      database.database.createContainer(KEYED, null);
      assertInstanceOf(Admission.Refused.class, database.admit(token));
    }
  }

  @Test
  void tokensOutliveARestart() {
    String token = database.token("p", "Read", WHOLE, "");
    database.database.restart();
    assertAllowed(token, read("i", "a"));
  }

  @Test
  void changedTokenIsRefusedAndNonsenseIsUnreadable() {
    String token = database.token("p", "Read", WHOLE, "");
    int signature = token.indexOf("sig=") + 4;
    for (int i = signature; i < token.length(); i++) {
      char changed = token.charAt(i) == 'A' ? 'B' : 'A';
      String other = token.substring(0, i) + changed + token.substring(i + 1);
      Admission admission = database.admit(other);
      assertEquals(false, admission instanceof Admission.Granted, other);
    }
    for (String nonsense :
        List.of(
            "",
            "type=resource&",
            "type=resource&ver=1&sig=",
            "type=resource&ver=1&sig=abc;def;",
            "type=resource&ver=1&sig=;;;",
            token + "x",
            token.replace(";", ""))) {
      assertInstanceOf(Admission.Unreadable.class, database.admit(nonsense), nonsense);
    }
    assertInstanceOf(
        Admission.Refused.class,
        database.admit("type=resource&ver=1&sig=" + "A".repeat(43) + "=;AAAA;"));
  }
}
