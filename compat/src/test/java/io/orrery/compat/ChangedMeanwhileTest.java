package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Policies, throughput and partitions of a container change under its clients. */
class ChangedMeanwhileTest {
  private static final int KEYS = 8;
  private static final int ITEMS_PER_KEY = 5;
  private static final String INDEXED =
      "{\"indexingMode\":\"consistent\",\"includedPaths\":[{\"path\":\"/*\"}],"
          + "\"excludedPaths\":[%s]}";
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
          + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/n\"]}]}%s}";
  private static final String INCREMENTS =
      "{\"id\":\"adds\",\"body\":\"function () { var c = getContext().getCollection();"
          + " c.queryDocuments(c.getSelfLink(), 'SELECT * FROM c WHERE c.id = \\\\'counter\\\\'',"
          + " function (e, rows) { var r = rows[0]; r.count++; c.replaceDocument(r._self, r); });"
          + " }\"}";

  private final Rest rest = Rest.over("http");
  private final RestContainer container =
      RestContainer.create(rest, DEFINITION.formatted(""), 1000);
  private final ManagedPartitions partitions =
      new ManagedPartitions(SharedServer.server(), container.database(), container.id());

  /** What changes, in an order in which everything meets. */
  private interface Change {
    void make() throws Exception;
  }

  private List<Change> changes() {
    return List.of(
        () -> define(",\"indexingPolicy\":" + INDEXED.formatted("{\"path\":\"/n/?\"}")),
        partitions::splitLargest,
        () -> define(",\"defaultTtl\":100000"),
        () -> provision(2000),
        partitions::splitLargest,
        () -> define(",\"indexingPolicy\":{\"indexingMode\":\"none\",\"automatic\":false}"),
        partitions::mergeSmallest,
        () -> define(",\"defaultTtl\":-1,\"indexingPolicy\":" + INDEXED.formatted("")),
        () -> provision(400),
        partitions::mergeSmallest);
  }

  private void define(String more) {
    rest.put(container.path(), DEFINITION.formatted(more)).send().expect(200);
  }

  private void provision(int units) {
    JsonNode offers =
        rest.post(
                "/offers",
                "{\"query\":\"SELECT * FROM c WHERE c.offerResourceId = '"
                    + container.rid()
                    + "'\"}")
            .header("content-type", "application/query+json")
            .send()
            .expect(200)
            .json()
            .get("Offers");
    ObjectNode offer = (ObjectNode) offers.get(0);
    ((ObjectNode) offer.get("content")).put("offerThroughput", units);
    rest.put("/offers/" + offer.get("id").asText(), offer.toString()).send().expect(200);
  }

  private void fill() {
    for (int key = 0; key < KEYS; key++) {
      BegunReads.fill(container, "k" + key, "m", key * ITEMS_PER_KEY, (key + 1) * ITEMS_PER_KEY);
    }
  }

  private List<BegunReads.Begun> begin() {
    var begun = new ArrayList<>(BegunReads.of(container, "k0", request -> request));
    begun.addAll(BegunReads.acrossRanges(container));
    return begun;
  }

  private static void isWhole(BegunReads.Begun read, int rows) {
    List<JsonNode> all = read.toTheEnd();
    assertEquals(rows, all.size(), () -> read.name() + " gave " + all);
    assertEquals(rows, new HashSet<>(all).size(), () -> read.name() + " gave twice " + all);
  }

  @Test
  void readsGoOnThroughEveryChange() throws Exception {
    fill();
    int ofKey = BegunReads.of(container, "k0", request -> request).size();
    for (Change change : changes()) {
      List<BegunReads.Begun> begun = begin();
      change.make();
      for (int i = 0; i < begun.size(); i++) {
        isWhole(begun.get(i), i < ofKey ? ITEMS_PER_KEY : KEYS * ITEMS_PER_KEY);
      }
    }
  }

  @Test
  void writesAreDoneOnceAndUniqueKeysHoldThroughEveryChange() throws Exception {
    fill();
    container.withScriptsReady();
    rest.post(container.path() + "/sprocs", INCREMENTS).send().expect(201);
    var counts = new ArrayList<AtomicInteger>();
    var taken = new AtomicInteger();
    try (var clients = new Meanwhile()) {
      for (int key = 0; key < 3; key++) {
        counts.add(counter(clients, "counted" + key, key));
      }
      for (int client = 0; client < 2; client++) {
        String name = "taker" + client;
        clients.start(
            name,
            n -> {
              String body =
                  "{\"id\":\"%s-%d\",\"pk\":\"unique\",\"n\":%d}".formatted(name, n, n % 100);
              if (write(rest.post(container.docs(), body).key("[\"unique\"]"), 409)) {
                taken.incrementAndGet();
              }
              return true;
            });
      }
      clients.start(
          "reader",
          n -> {
            BegunReads.acrossRanges(container, " WHERE c.mark = 'm'")
                .forEach(read -> isWhole(read, KEYS * ITEMS_PER_KEY));
            return true;
          });
      for (Change change : changes()) {
        change.make();
        clients.awaitRounds(1);
      }
    }
    for (int key = 0; key < counts.size(); key++) {
      JsonNode counter = container.read("counter", "\"counted" + key + "\"").expect(200).json();
      assertEquals(counts.get(key).get(), counter.get("count").asInt(), "way " + key);
    }
    List<JsonNode> values =
        RestQuery.rows(
            RestQuery.over(container, "SELECT VALUE c.n FROM c").key("[\"unique\"]"), 100);
    assertEquals(Set.copyOf(values).size(), values.size(), values::toString);
    assertEquals(taken.get(), values.size());
    rest.put(container.path(), DEFINITION.formatted("").replace("/n", "/w")).send().refused(403, 0);
  }

  /** Starts a client that adds to a counter of its own, by one of the ways to write. */
  private AtomicInteger counter(Meanwhile clients, String key, int way) {
    var acknowledged = new AtomicInteger();
    String json = "[\"" + key + "\"]";
    rest.post(container.docs(), "{\"id\":\"counter\",\"pk\":\"" + key + "\",\"count\":0}")
        .key(json)
        .send()
        .expect(201);
    String patch = "[{\"op\":\"incr\",\"path\":\"/count\",\"value\":1}]";
    String batch =
        "[{\"operationType\":\"Patch\",\"id\":\"counter\",\"resourceBody\":{\"operations\":%s}}]"
            .formatted(patch);
    clients.start(
        key,
        n -> {
          Rest.Request request =
              switch (way) {
                case 0 -> rest.patch(container.doc("counter"), patch);
                case 1 ->
                    rest.post(container.docs(), batch)
                        .header("x-ms-cosmos-is-batch-request", "True")
                        .header("x-ms-cosmos-batch-atomic", "True");
                default -> rest.post(container.path() + "/sprocs/adds", "[]");
              };
          if (write(request.key(json), 449)) {
            acknowledged.incrementAndGet();
          }
          return true;
        });
    return acknowledged;
  }

  /** Tells whether it was done; else it was refused as may be, and nothing was done. */
  private static boolean write(Rest.Request request, int refusal) {
    RestAnswer answer = request.send();
    if (answer.status() < 300) {
      return true;
    }
    assertTrue(
        Set.of(refusal, 429, 503).contains(answer.status()),
        () -> answer.status() + " " + answer.text());
    return false;
  }
}
