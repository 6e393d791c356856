package io.orrery.compat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.util.CosmosPagedIterable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * An application on the Java SDK over several nodes: each of its threads asks one of them until
 * that fails, then the next. It checks all that it is told.
 */
final class ClusterApplication implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int ITEMS = 50;
  private static final int KEYS = 40;
  private static final int UNITS_PER_SECOND = 50_000;

  /**
   * What a client is told while nodes fail; everything else is a mistake, and some of these are
   * when they come too early.
   */
  private static final Set<Integer> PASSING = Set.of(0, 408, 410, 429, 449, 503);

  private final List<CosmosContainer> nodes;
  private final ClusterLedger ledger;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Integer> fed = new HashMap<>();
  private @Nullable String continuation;
  private volatile boolean ended;

  ClusterApplication(List<CosmosContainer> nodes, ClusterLedger ledger) {
    this.nodes = List.copyOf(nodes);
    this.ledger = ledger;
  }

  /** Makes the container that the applications work on. */
  static void create(CosmosClient client, String database) {
    client.createDatabaseIfNotExists(database);
    client
        .getDatabase(database)
        .createContainer(
            new CosmosContainerProperties("c", JavaAccount.definition("/pk")),
            ThroughputProperties.createManualThroughput(UNITS_PER_SECOND));
  }

  /** Runs the same application on the Node SDK; its last line says how it went. */
  static String onNode(String database, int seconds) {
    List<String> endpoints =
        ClusterNodes.ADDRESSES.stream()
            .map(address -> ClusterNodes.endpoint(address).toString())
            .toList();
    return Node.run(
        Map.of(
            "ORRERY_ENDPOINTS",
            String.join(",", endpoints),
            "ORRERY_KEY",
            ClusterNodes.KEY,
            "ORRERY_DATABASE",
            database,
            "ORRERY_SECONDS",
            Integer.toString(seconds),
            "NODE_NO_WARNINGS",
            "1"),
        "cluster.js");
  }

  void start(long seed) {
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      var random = new Random(seed + writer);
      repeat("writer", writer, node -> write(node, number, random));
    }
    repeat("query", 0, this::query);
    repeat("feed", 1, this::feed);
  }

  private void repeat(String name, int first, Consumer<Turn> turn) {
    threads.add(Thread.ofPlatform().name(name).start(() -> run(name, first, turn)));
  }

  private void run(String name, int first, Consumer<Turn> turn) {
    int at = first;
    while (!ended) {
      long begin = System.nanoTime();
      var present = new Turn(nodes.get(at % nodes.size()));
      try {
        turn.accept(present);
      } catch (RuntimeException e) {
        List<Throwable> parts = parts(e);
        if (!parts.stream().allMatch(ClusterApplication::isPassing)) {
          ledger.fault(name + ": " + parts);
        }
        ledger.unknown(FailedRequest.of(parts, present.waited()));
        at++;
      }
      ledger.waited(System.nanoTime() - begin);
    }
  }

  /** One request after the other to one node. */
  private static final class Turn {
    private final CosmosContainer node;
    private long begin = System.nanoTime();

    Turn(CosmosContainer node) {
      this.node = node;
    }

    <T> T ask(Function<CosmosContainer, T> request) {
      begin = System.nanoTime();
      return request.apply(node);
    }

    /** All pages of a query or a feed, each a request of its own. */
    void pages(CosmosPagedIterable<JsonNode> asked, Consumer<FeedResponse<JsonNode>> page) {
      begin = System.nanoTime();
      for (FeedResponse<JsonNode> each : asked.iterableByPage()) {
        page.accept(each);
        begin = System.nanoTime();
      }
    }

    /** For how long the last request has. */
    Duration waited() {
      return Duration.ofNanos(System.nanoTime() - begin);
    }
  }

  /** A query over several ranges fails in each of them, in one wrapping or another. */
  private static List<Throwable> parts(Throwable failure) {
    Throwable bare = Exceptions.unwrap(failure);
    return Exceptions.isMultiple(bare)
        ? Exceptions.unwrapMultiple(bare).stream().flatMap(each -> parts(each).stream()).toList()
        : List.of(bare);
  }

  private static boolean isPassing(Throwable failure) {
    return failure instanceof CosmosException told && PASSING.contains(told.getStatusCode());
  }

  /** Changes or reads an item that nobody else changes. */
  private void write(Turn turn, int writer, Random random) {
    String id = "j" + (random.nextInt(ITEMS) * WRITERS + writer);
    Integer before = ledger.acknowledged().get(id);
    if (before != null && random.nextInt(3) == 0) {
      ledger.check("read", id, before, turn.ask(node -> read(node, id)));
      ledger.done();
      return;
    }
    int version = ledger.next(id);
    ObjectNode item = Items.item(id, keyOf(id)).put("version", version);
    if (before == null) {
      create(turn, item);
    } else if (random.nextBoolean()) {
      var _ = turn.ask(node -> node.replaceItem(item, id, Items.key(keyOf(id)), null));
    } else {
      var _ = turn.ask(node -> node.upsertItem(item));
    }
    ledger.acknowledge(id, version);
  }

  /** An item may be there of an attempt whose end was unknown. */
  private static void create(Turn turn, ObjectNode item) {
    try {
      var _ = turn.ask(node -> node.createItem(item));
    } catch (CosmosException e) {
      if (e.getStatusCode() != 409) {
        throw e;
      }
      var _ = turn.ask(node -> node.upsertItem(item));
    }
  }

  private static JsonNode read(CosmosContainer node, String id) {
    return node.readItem(id, Items.key(keyOf(id)), JsonNode.class).getItem();
  }

  private void query(Turn turn) {
    Map<String, Integer> before = ledger.acknowledged();
    List<JsonNode> rows = new ArrayList<>();
    turn.pages(
        turn.node.queryItems(
            "SELECT c.id, c.version FROM c WHERE STARTSWITH(c.id, 'j') ORDER BY c.id",
            new CosmosQueryRequestOptions(),
            JsonNode.class),
        page -> rows.addAll(page.getResults()));
    ledger.check("query", before, rows);
  }

  /** Goes on where the page before ended, whichever node gave it. */
  private void feed(Turn turn) {
    var options =
        continuation == null
            ? CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                FeedRange.forFullRange())
            : CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
    turn.pages(
        turn.node.queryChangeFeed(options, JsonNode.class),
        page -> {
          page.getResults().forEach(this::take);
          continuation = page.getContinuationToken();
        });
    ledger.done();
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(JsonNode item) {
    String id = item.get("id").asText();
    if (!item.has("version")) {
      return; // of those who look after partitions
    }
    int version = item.get("version").asInt();
    if (fed.getOrDefault(id, 0) > version) {
      ledger.fault(
          "the feed went back: version " + version + " of " + id + " after " + fed.get(id));
    }
    fed.put(id, version);
  }

  /** Everything that was acknowledged is there, at every node, and was fed. */
  void check() throws InterruptedException {
    Map<String, Integer> acknowledged = ledger.acknowledged();
    for (CosmosContainer node : nodes) {
      acknowledged.forEach(
          (id, version) -> {
            try {
              JsonNode found = ClusterNodes.patiently(() -> read(node, id));
              ledger.check("last read", id, version, found);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    ClusterNodes.patiently(
        () -> {
          query(new Turn(nodes.getFirst()));
          feed(new Turn(nodes.getLast()));
          return true;
        });
    acknowledged.forEach(
        (id, version) -> {
          if (fed.getOrDefault(id, 0) < version) {
            ledger.fault("the feed did not give version " + version + " of " + id);
          }
        });
  }

  private static String keyOf(String id) {
    return "k" + Integer.parseInt(id.substring(1)) % KEYS;
  }

  @Override
  public void close() {
    ended = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
