package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Account keys change under clients that use them. */
class KeyRotationTest {
  private static final String PRIMARY = "primary";
  private static final String CREATES =
      "function (id) { var c = getContext().getCollection();"
          + " c.createDocument(c.getSelfLink(), {id: id, pk: 'script'}); }";
  private static RotatedServer server;

  @BeforeAll
  static void start() {
    ServerStorage.requireEmbedded("nodes that share a storage share no file of keys");
    server = new RotatedServer();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static RestContainer container() {
    RestContainer made =
        RestContainer.create(
            server.rest(), "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    server
        .rest()
        .post(made.path() + "/sprocs", "{\"id\":\"creates\",\"body\":\"" + CREATES + "\"}")
        .send()
        .expect(201);
    return made;
  }

  @Test
  void pagesGoOnUnderTheNextKey() {
    RestContainer container = container();
    BegunReads.fill(container, "a", "m", 0, 12);
    String old = server.key(PRIMARY);
    List<BegunReads.Begun> begun = BegunReads.of(container, request -> request.signedBy(old));
    server.rotate(PRIMARY);
    String next = server.key(PRIMARY);
    for (BegunReads.Begun read : begun) {
      read.request().signedBy(old).send().refused(401, 0);
      read.request().signedBy(next);
      assertEquals(12, Set.copyOf(read.toTheEnd()).size(), read.name());
    }
  }

  /** What a client does in a round; the status of the answer. */
  private interface Use {
    int status(String key, String id);
  }

  private static Map<String, Use> uses(RestContainer container, TableClient table) {
    return Map.of(
        "create", (key, id) -> create(container, id).signedBy(key).send().status(),
        "batch", (key, id) -> batch(container, id).signedBy(key).send().status(),
        "script", (key, id) -> script(container, id).signedBy(key).send().status(),
        "query", (key, id) -> read(container, true).signedBy(key).send().status(),
        "changes", (key, id) -> read(container, false).signedBy(key).send().status(),
        "entity", (key, id) -> tableStatus(() -> table.createEntity(new TableEntity("p", id))),
        "transaction", (key, id) -> tableStatus(() -> table.submitTransaction(both(id))));
  }

  /** In a key that stays small, however much is written beside it. */
  private static Rest.Request read(RestContainer container, boolean query) {
    return (query
            ? RestQuery.over(container, "SELECT * FROM c")
            : container.rest().get(container.docs()).header("A-IM", "Incremental Feed"))
        .key("[\"read\"]");
  }

  private static Rest.Request create(RestContainer container, String id) {
    String body = "{\"id\":\"" + id + "\",\"pk\":\"create\"}";
    return container.rest().post(container.docs(), body).key("[\"create\"]");
  }

  private static Rest.Request batch(RestContainer container, String id) {
    String step =
        "{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"%s\",\"pk\":\"batch\"}}";
    String body = "[" + step.formatted(id) + "," + step.formatted(id + "-too") + "]";
    return container
        .rest()
        .post(container.docs(), body)
        .header("x-ms-cosmos-is-batch-request", "True")
        .header("x-ms-cosmos-batch-atomic", "True")
        .key("[\"batch\"]");
  }

  private static Rest.Request script(RestContainer container, String id) {
    return container
        .rest()
        .post(container.path() + "/sprocs/creates", "[\"" + id + "\"]")
        .key("[\"script\"]");
  }

  private static List<TableTransactionAction> both(String id) {
    return List.of(
        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("both", id)),
        new TableTransactionAction(
            TableTransactionActionType.CREATE, new TableEntity("both", id + "-too")));
  }

  private static int tableStatus(Runnable call) {
    try {
      call.run();
      return 200;
    } catch (HttpResponseException e) {
      return e.getResponse().getStatusCode();
    }
  }

  @Test
  void aRemovedKeyOpensNothingAndWhatItDidIsWhole() throws Exception {
    RestContainer container = container().withScriptsReady();
    String old = server.key(PRIMARY);
    String name = JavaTables.freshName();
    TableClient table = JavaTables.table(server.tableEndpoint(), old, name);
    table.createTable();
    container.put("there", "\"read\"").expect(201);
    Map<String, Set<String>> done = new ConcurrentHashMap<>();
    try (var clients = new Meanwhile()) {
      uses(container, table)
          .forEach(
              (use, doing) -> {
                Set<String> acknowledged = ConcurrentHashMap.newKeySet();
                done.put(use, acknowledged);
                int refusal = use.equals("entity") || use.equals("transaction") ? 403 : 401;
                clients.start(
                    use,
                    number -> {
                      String id = use + number;
                      int status = doing.status(old, id);
                      if (status >= 300) {
                        assertEquals(refusal, status, use);
                        // Once refused, for ever refused.
                        assertEquals(refusal, doing.status(old, id), use);
                        return false;
                      }
                      return acknowledged.add(id);
                    });
              });
      clients.start(
          "other key",
          number -> create(container, "other" + number).send().expect(201).status() == 201);
      clients.awaitRounds(3);
      server.rotate(PRIMARY);
      // All but the one that has another key.
      clients.awaitRounds(10);
      clients.stop();
    }
    assertEquals(done.get("create"), ids(container, "create", "create"));
    assertEquals(withBoth(done.get("batch")), ids(container, "batch", "batch"));
    assertEquals(done.get("script"), ids(container, "script", "script"));
    TableClient renewed = JavaTables.table(server.tableEndpoint(), server.key(PRIMARY), name);
    assertEquals(done.get("entity"), rows(renewed, "p"));
    assertEquals(withBoth(done.get("transaction")), rows(renewed, "both"));
    assertThrows(HttpResponseException.class, () -> table.listEntities().stream().count());
  }

  private static Set<String> withBoth(@Nullable Set<String> ids) {
    var both = new TreeSet<>(Objects.requireNonNull(ids));
    ids.forEach(id -> both.add(id + "-too"));
    return both;
  }

  private static Set<String> ids(RestContainer container, String key, String start) {
    var ids = new TreeSet<String>();
    for (JsonNode row :
        RestQuery.rows(
            RestQuery.over(container, "SELECT VALUE c.id FROM c").key("[\"" + key + "\"]"), 100)) {
      if (row.asText().startsWith(start)) {
        ids.add(row.asText());
      }
    }
    return ids;
  }

  private static Set<String> rows(TableClient table, String key) {
    var rows = new TreeSet<String>();
    table.listEntities().stream()
        .filter(entity -> entity.getPartitionKey().equals(key))
        .forEach(entity -> rows.add(entity.getRowKey()));
    return rows;
  }

  @Test
  void eachRotationEndsOneKeyAndNoOther() {
    List<String> removed = new ArrayList<>();
    IntStream.range(0, 3)
        .forEach(
            round -> {
              removed.add(server.key(PRIMARY));
              server.rotate(PRIMARY);
              for (String key : removed) {
                server.rest().get("/dbs").signedBy(key).send().refused(401, 0);
              }
              for (String name : List.of(PRIMARY, "secondary", "primaryReadonly")) {
                server.rest().get("/dbs").signedBy(server.key(name)).send().expect(200);
              }
            });
  }
}
