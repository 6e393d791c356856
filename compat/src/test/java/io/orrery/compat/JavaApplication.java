package io.orrery.compat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;

/**
 * An application on the Java SDK that checks everything it is told: writers whose updates are
 * conditional, so that one that is applied twice shows, and readers that page through queries.
 */
final class JavaApplication implements AutoCloseable {
  private static final int WRITERS = 3;
  private static final int KEYS = 400;
  private static final int FILLING = 1_500;

  private final CosmosContainer container;
  private final ReshapedLedger ledger;
  private final int itemsMax;
  private final List<Thread> threads = new ArrayList<>();
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
      repeat("writer", one::turn);
    }
    var random = new Random(seed - 1);
    repeat("ordered", () -> page("SELECT c.id, c.n FROM c ORDER BY c.n", true, 7));
    repeat("unordered", () -> page("SELECT c.id, c.n FROM c", false, 11));
    repeat("many", () -> readMany(random));
    repeat("key", () -> readKey(random));
  }

  private void repeat(String name, Turn turn) {
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
        delete(own.firstEntry().getValue());
      }
    }

    private ObjectNode any() {
      String id = ids.get(random.nextInt(ids.size()));
      ObjectNode found = own.get(id);
      return found == null ? own.lastEntry().getValue() : found;
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

  private void page(String query, boolean ordered, int pageSize) {
    Map<String, Integer> before = ledger.present();
    var seen = new ArrayList<String>();
    int last = -1;
    String continuation = null;
    do {
      // A new query for every page, as a web page would ask: only the continuation is kept.
      FeedResponse<JsonNode> page =
          container
              .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
              .iterableByPage(continuation, pageSize)
              .iterator()
              .next();
      ledger.asked();
      for (JsonNode row : page.getResults()) {
        seen.add(id(row));
        if (ordered && row.get("n").asInt() <= last) {
          ledger.fail(row + " comes after " + last);
        }
        last = row.get("n").asInt();
      }
      continuation = page.getContinuationToken();
    } while (continuation != null);
    ledger.compare(query, before, seen);
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
        if (found.get("version").asInt() < before.get(id(found))) {
          ledger.fail("readMany gave an old version: " + found);
        }
      }
      before = new java.util.HashMap<>(before);
      before.keySet().retainAll(some.stream().map(CosmosItemIdentity::getId).toList());
      ledger.compare("readMany", before, seen);
    }
  }

  private void readKey(Random random) {
    var before = new java.util.HashMap<>(ledger.present());
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

  private static com.azure.cosmos.models.PartitionKey key(JsonNode item) {
    return Items.key(item.get("pk").asText());
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
