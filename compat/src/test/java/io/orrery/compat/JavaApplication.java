package io.orrery.compat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An application on the Java SDK that checks everything it is told: writers whose updates are
 * conditional, so that one that is applied twice shows, and readers that page through queries.
 */
final class JavaApplication implements AutoCloseable {
  private static final int WRITERS = 3;
  private static final int KEYS = 400;
  private static final int FILLING = 3_000;

  private final CosmosContainer container;
  private final ReshapedLedger ledger;
  private final int itemsMax;
  private final List<Thread> threads = new ArrayList<>();
  private final List<AtomicLong> turns = new ArrayList<>();

  private volatile boolean ended;

  /** One turn of a thread. */
  private interface Turn {
    void take() throws Exception;
  }

  /**
   * @param itemsMax beyond it a writer deletes for every item that it creates
   */
  JavaApplication(CosmosContainer container, ReshapedLedger ledger, int itemsMax) {
    this.container = container;
    this.ledger = ledger;
    this.itemsMax = itemsMax;
  }

  void start(long seed) {
    for (int writer = 0; writer < WRITERS; writer++) {
      var one = new Writer(writer, new Random(seed + writer));
      one.turn(); // the first item is there before anybody reads
      repeat("writer", one::turn);
    }
    repeat("bulk", new Bulk()::turn);
    var random = new Random(seed - 1);
    repeat("pages by token", this::pagesByToken);
    repeat("ordered", () -> pages("SELECT c.id, c.n FROM c ORDER BY c.n", true));
    repeat("unordered", () -> pages("SELECT c.id, c.n FROM c", false));
    repeat("many", () -> readMany(random));
    repeat("key", () -> readKey(random));
  }

  /** How many turns each thread has ended. */
  List<Long> turns() {
    return turns.stream().map(AtomicLong::get).toList();
  }

  /** Whether every turn that was under way then has ended. */
  boolean haveEndedSince(List<Long> then) {
    List<Long> now = turns();
    return IntStream.range(0, now.size()).allMatch(i -> now.get(i) > then.get(i));
  }

  private void repeat(String name, Turn turn) {
    var ownTurns = new AtomicLong();
    turns.add(ownTurns);
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .start(
                () -> {
                  while (!ended) {
                    try {
                      turn.take();
                    } catch (CosmosException e) {
                      if (e.getStatusCode() != 429) {
                        ledger.fail(name + ": " + e.getStatusCode() + " " + e.getMessage());
                        return;
                      }
                    } catch (Exception e) {
                      ledger.fail(name + ": " + e);
                      return;
                    }
                    ownTurns.incrementAndGet();
                  }
                }));
  }

  /** Changes items that nobody else changes. */
  private final class Writer {
    private final int number;
    private final Random random;
    private final SequencedMap<String, ObjectNode> own = new LinkedHashMap<>();
    private final List<String> ids = new ArrayList<>();
    private int created;

    Writer(int number, Random random) {
      this.number = number;
      this.random = random;
    }

    void turn() {
      ledger.asked();
      int choice = random.nextInt(10);
      if (own.isEmpty() || choice < 4) {
        create();
      } else if (choice < 7) {
        replace(any());
      } else if (choice < 9) {
        read(any());
      } else {
        upsert(any());
      }
      if (own.size() > itemsMax / WRITERS) {
        delete(own.sequencedValues().getFirst());
      }
    }

    private ObjectNode any() {
      String id = ids.get(random.nextInt(ids.size()));
      ObjectNode found = own.get(id);
      return found == null ? own.sequencedValues().getLast() : found;
    }

    private void create() {
      // Scattered, so that new items come before and behind those that a query has reached.
      int n = (int) (created++ * 7_919L % 1_000_003) * WRITERS + number;
      ObjectNode item =
          Items.item("j" + n, "k" + n % KEYS)
              .put("n", n)
              .put("version", 0)
              .put("filling", "x".repeat(random.nextInt(2 * FILLING)));
      // Created twice would be told as a conflict.
      keep(container.createItem(item, key(item), null).getItem());
      ids.add(id(item));
    }

    private void keep(ObjectNode stored) {
      own.put(id(stored), stored);
      ledger.acknowledge(id(stored), stored.get("version").asInt());
    }

    private void replace(ObjectNode item) {
      ObjectNode next = item.deepCopy().put("version", item.get("version").asInt() + 1);
      // Applied twice would be told as a failed precondition.
      var condition = new CosmosItemRequestOptions().setIfMatchETag(item.get("_etag").asText());
      keep(container.replaceItem(next, id(item), key(item), condition).getItem());
    }

    private void upsert(ObjectNode item) {
      ObjectNode next = item.deepCopy().put("version", item.get("version").asInt() + 1);
      keep(container.upsertItem(next, key(item), null).getItem());
    }

    private void read(ObjectNode item) {
      JsonNode found = container.readItem(id(item), key(item), JsonNode.class).getItem();
      if (!found.equals(item)) {
        ledger.fail("read " + found + " instead of " + item);
      }
    }

    private void delete(ObjectNode item) {
      ledger.deleting(id(item));
      own.remove(id(item));
      // Applied twice would be told as missing.
      container.deleteItem(id(item), key(item), null);
    }
  }

  /** Creates items by the dozen, and deletes them again. */
  private final class Bulk {
    private static final int ITEMS = 12;
    private static final int FIRST = 3 * 1_000_003;
    private int created;

    void turn() {
      List<ObjectNode> items = new ArrayList<>();
      for (int i = 0; i < ITEMS; i++) {
        int n = FIRST + created++;
        items.add(Items.item("j" + n, "k" + n % KEYS).put("n", n).put("version", 0));
      }
      execute(items, 201, item -> CosmosBulkOperations.getCreateItemOperation(item, key(item)));
      items.forEach(item -> ledger.acknowledge(id(item), 0));
      items.forEach(item -> ledger.deleting(id(item)));
      execute(items, 204, item -> CosmosBulkOperations.getDeleteItemOperation(id(item), key(item)));
    }

    private void execute(
        List<ObjectNode> items, int status, Function<ObjectNode, CosmosItemOperation> operation) {
      ledger.asked();
      for (var answer : container.executeBulkOperations(items.stream().map(operation).toList())) {
        int told = answer.getResponse() == null ? 0 : answer.getResponse().getStatusCode();
        if (told != status && told != 429) {
          ledger.fail("bulk: " + told + " for " + answer.getOperation().getId());
        }
      }
    }
  }

  /**
   * Every page by a query of its own, as the pages of a site are: only the token is kept. The SDK
   * keeps a row by the range that had it. After a split it asks both halves from the sort key of
   * that row on and passes nothing over; after a merge it asks the merged range and, beside it, the
   * part that the token names. So a row may come again, next to itself.
   */
  private void pagesByToken() {
    String query = "SELECT c.id, c.n FROM c ORDER BY c.n";
    var rows = new Rows(true);
    String continuation = null;
    do {
      FeedResponse<JsonNode> page = pages(query, continuation, 7).iterator().next();
      rows.take(page);
      continuation = page.getContinuationToken();
    } while (continuation != null);
    rows.check(query + " by token", true);
  }

  /**
   * All pages of one query. Not by token without an order: the SDK's token then names one range,
   * and of two that it was split into the second would be read from its start.
   */
  private void pages(String query, boolean ordered) {
    var rows = new Rows(false);
    pages(query, null, 11).forEach(rows::take);
    rows.check(query, ordered);
  }

  private Iterable<FeedResponse<JsonNode>> pages(
      String query, @Nullable String continuation, int pageSize) {
    return container
        .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
        .iterableByPage(continuation, pageSize);
  }

  /** What a query gave. */
  private final class Rows {
    private final Map<String, Integer> before = ledger.present();
    private final List<String> seen = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final boolean repeats;

    /**
     * @param repeats whether a row may come again behind rows of its sort key
     */
    Rows(boolean repeats) {
      this.repeats = repeats;
    }

    void take(FeedResponse<JsonNode> page) {
      ledger.asked();
      for (JsonNode row : page.getResults()) {
        Integer place = row.get("n").asInt();
        boolean again = !places.isEmpty() && place.equals(places.getLast());
        if (!(repeats && again && seen.contains(id(row)))) {
          seen.add(id(row));
          places.add(place);
        }
      }
    }

    void check(String query, boolean ordered) {
      ledger.compare(query, before, seen);
      if (ordered && !places.equals(places.stream().sorted().toList())) {
        ledger.fail(query + " is out of order: " + places);
      }
    }
  }

  private void readMany(Random random) {
    Map<String, Integer> before = ledger.present();
    var ids = new ArrayList<>(before.keySet());
    Collections.shuffle(ids, random);
    List<CosmosItemIdentity> some =
        ids.stream().limit(30).map(id -> new CosmosItemIdentity(Items.key(keyOf(id)), id)).toList();
    ledger.asked();
    if (!some.isEmpty()) {
      var seen = new ArrayList<String>();
      for (JsonNode found : container.readMany(some, JsonNode.class).getResults()) {
        seen.add(id(found));
        if (found.get("version").asInt() < before.getOrDefault(id(found), 0)) {
          ledger.fail("readMany gave an old version: " + found);
        }
      }
      before = new HashMap<>(before);
      before.keySet().retainAll(some.stream().map(CosmosItemIdentity::getId).toList());
      ledger.compare("readMany", before, seen);
    }
  }

  private void readKey(Random random) {
    var before = new HashMap<>(ledger.present());
    String key = "k" + random.nextInt(KEYS);
    before.keySet().removeIf(id -> !keyOf(id).equals(key));
    ledger.asked();
    List<String> seen =
        container.readAllItems(Items.key(key), JsonNode.class).stream()
            .map(JavaApplication::id)
            .toList();
    ledger.compare("readAllItems", before, seen);
  }

  static String keyOf(String id) {
    return "k" + Integer.parseInt(id.substring(1)) % KEYS;
  }

  private static String id(JsonNode item) {
    return item.get("id").asText();
  }

  private static PartitionKey key(JsonNode item) {
    return Items.key(item.get("pk").asText());
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
