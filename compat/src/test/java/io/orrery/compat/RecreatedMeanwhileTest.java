package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A container is deleted and made again under clients that write and read it by name, while it
 * splits, is indexed anew and loses items whose time is over.
 */
class RecreatedMeanwhileTest {
  private static final int ROUNDS = 8;
  private static final String DATABASE = SharedServer.freshName("again");
  private static final String COLLECTIONS = "/dbs/" + DATABASE + "/colls";
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
          + "\"defaultTtl\":-1}";
  private static final String REINDEXED =
      DEFINITION.replace(
          ",\"defaultTtl\":-1",
          ",\"defaultTtl\":1000,\"indexingPolicy\":{\"indexingMode\":\"consistent\","
              + "\"includedPaths\":[{\"path\":\"/*\"}],\"excludedPaths\":[{\"path\":\"/n/?\"}]}");
  private static final String CREATES =
      "{\"id\":\"creates\",\"body\":\"function (id) { var c = getContext().getCollection();"
          + " c.createDocument(c.getSelfLink(), {id: id, pk: 'k'}); }\"}";
  private static final Set<Integer> GONE = Set.of(404, 410, 503);

  private final Rest rest = Rest.over("http");

  /** The rids of the containers that had the name, in order; one is listed once it is made. */
  private final List<String> rids = new CopyOnWriteArrayList<>();

  /** What was acknowledged, and by which container. */
  private final Map<String, String> done = new ConcurrentHashMap<>();

  private RestContainer create() {
    JsonNode made = rest.post(COLLECTIONS, DEFINITION).send().expect(201).json();
    var container = new RestContainer(rest, DATABASE, "coll", made.get("_rid").asText());
    rids.add(container.rid());
    rest.post(container.path() + "/sprocs", CREATES).send().expect(201);
    for (int n = 0; n < 5; n++) {
      rest.post(container.docs(), BegunReads.item("seed", container.rid(), n))
          .key("[\"seed\"]")
          .send()
          .expect(201);
    }
    return container;
  }

  /** Whoever answers is the container of the name at some moment of the request. */
  private RestAnswer asked(Rest.Request request) {
    int before = rids.size() - 1;
    RestAnswer answer = request.send();
    if (answer.status() < 300) {
      int by = rids.indexOf(answer.header("x-ms-content-path"));
      assertTrue(by < 0 || by >= before, () -> "answered by " + by + ", begun under " + before);
    } else {
      // A feed of a container that is still empty has no changes.
      assertTrue(
          answer.status() == 304 || GONE.contains(answer.status()),
          () -> answer.status() + answer.text());
    }
    return answer;
  }

  private boolean write(Rest.Request request, String... ids) {
    RestAnswer answer = asked(request.key("[\"k\"]"));
    if (answer.status() < 300) {
      List.of(ids).forEach(id -> done.put(id, answer.header("x-ms-content-path")));
    }
    return true;
  }

  private void startWriters(Meanwhile clients, RestContainer named) {
    clients.start(
        "creates",
        n -> write(rest.post(named.docs(), "{\"id\":\"c" + n + "\",\"pk\":\"k\"}"), "c" + n));
    clients.start(
        "batches",
        n -> {
          String step =
              "{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"%s\",\"pk\":\"k\"}}";
          String body = "[" + step.formatted("b" + n) + "," + step.formatted("bb" + n) + "]";
          return write(
              rest.post(named.docs(), body)
                  .header("x-ms-cosmos-is-batch-request", "True")
                  .header("x-ms-cosmos-batch-atomic", "True"),
              "b" + n,
              "bb" + n);
        });
    clients.start(
        "scripts",
        n -> write(rest.post(named.path() + "/sprocs/creates", "[\"s" + n + "\"]"), "s" + n));
    clients.start(
        "expiring",
        n -> write(rest.post(named.docs(), "{\"id\":\"x" + n + "\",\"pk\":\"k\",\"ttl\":1}")));
  }

  private void startReaders(Meanwhile clients, RestContainer named) {
    for (String query :
        List.of(
            "SELECT c.mark FROM c WHERE IS_DEFINED(c.mark)",
            "SELECT c.mark FROM c ORDER BY c.n",
            "SELECT c.mark, COUNT(1) AS many FROM c GROUP BY c.mark")) {
      clients.start(query, n -> ofOneContainer(asked(RestQuery.across(named, query))));
    }
    clients.start("items", n -> ofOneContainer(asked(rest.get(named.docs()))));
    clients.start(
        "changes",
        n ->
            ofOneContainer(
                asked(
                    rest.get(named.docs()).key("[\"seed\"]").header("A-IM", "Incremental Feed"))));
    clients.start("ranges", n -> asked(rest.get(named.path() + "/pkranges")).status() < 500 + n);
    clients.start(
        "definition",
        n -> {
          RestAnswer answer = rest.get(named.path()).send();
          assertTrue(answer.status() == 200 || GONE.contains(answer.status()), answer::text);
          return true;
        });
  }

  private static boolean ofOneContainer(RestAnswer answer) {
    if (answer.status() == 200) {
      Set<String> marks =
          BegunReads.documents(answer).stream()
              .map(row -> row.path("mark").asText())
              .filter(mark -> !mark.isEmpty())
              .collect(Collectors.toSet());
      marks.remove(answer.header("x-ms-content-path"));
      assertEquals(Set.of(), marks, "rows of another container");
    }
    return true;
  }

  @Test
  void everyAcknowledgedWriteIsInTheContainerThatAcknowledgedIt() throws Exception {
    rest.post("/dbs", "{\"id\":\"" + DATABASE + "\"}").send().expect(201);
    RestContainer container = create().withScriptsReady();
    try (var clients = new Meanwhile()) {
      startWriters(clients, container);
      startReaders(clients, container);
      for (int round = 0; round < ROUNDS; round++) {
        clients.awaitRounds(2);
        rest.put(container.path(), REINDEXED).send().expect(200);
        RestAnswer split = split(container);
        assertTrue(split.status() < 500, split::text);
        rest.delete(container.path()).send().expect(204);
        container = create();
      }
      clients.awaitRounds(2);
    }
    var stored = new TreeSet<String>();
    for (JsonNode id :
        RestQuery.rows(RestQuery.across(container, "SELECT VALUE c.id FROM c"), 1000)) {
      stored.add(id.asText());
    }
    stored.removeIf(id -> id.startsWith("x") || id.startsWith("seed"));
    String last = container.rid();
    var acknowledged = new TreeSet<String>();
    done.forEach((id, rid) -> acknowledged.addAll(rid.equals(last) ? Set.of(id) : Set.of()));
    assertEquals(acknowledged, stored);
    assertTrue(Set.copyOf(done.values()).size() > ROUNDS / 2, "hardly any write met a container");
  }

  private RestAnswer split(RestContainer container) {
    String partitions =
        "/_orrery/databases/" + DATABASE + "/containers/" + container.id() + "/partitions";
    JsonNode all =
        rest.get(partitions)
            .signedOver(new Signature("", ""))
            .send()
            .expect(200)
            .json()
            .get("partitions");
    String first = all.get(0).get("id").asText();
    return rest.post(partitions + "/" + first + "/split", "{}").send();
  }
}
