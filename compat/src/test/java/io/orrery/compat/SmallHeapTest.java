package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries over more data than the server has memory: paged, sorted and grouped with a heap of 128
 * MB. {@code -Dsmallheap.megabytes=2048} makes the data as large as the promise.
 */
class SmallHeapTest {
  private static final int HEAP_MEGABYTES = 128;
  private static final int MEGABYTES = Integer.getInteger("smallheap.megabytes", 192);
  private static final int ITEM_BYTES = 64 << 10;
  private static final int ITEMS = (int) ((long) MEGABYTES * (1 << 20) / ITEM_BYTES);
  private static final int LOADERS = 4;
  private static final int UNITS_PER_RANGE = 10_000;
  private static final String DEFINITION =
      "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2},"
          + "\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"}],\"excludedPaths\":"
          + "[{\"path\":\"/mixed/?\"},{\"path\":\"/text/?\"}]}}";

  @TempDir Path folder;

  @Test
  void moreDataThanMemoryIsPagedSortedAndGrouped() throws Exception {
    try (var server =
        OrreryProcess.start(
            HEAP_MEGABYTES,
            List.of(
                "--data",
                folder.toString(),
                "--durability",
                "os",
                "--key",
                SharedServer.PRIMARY))) {
      RestContainer container =
          RestContainer.create(Rest.to(server), DEFINITION, 2 * UNITS_PER_RANGE);
      load(container);

      var paged = new Counted();
      drain(container, "SELECT * FROM c", row -> paged.next(row.get("n").asInt()));
      assertEquals(ITEMS, paged.rows);

      var ordered = new Counted();
      drain(
          container,
          "SELECT * FROM c ORDER BY c.n DESC",
          row -> ordered.falls(row.get("n").asInt()));
      assertEquals(ITEMS, ordered.rows);

      var sorted = new Counted();
      drain(
          container,
          "SELECT c.mixed, c.text FROM c ORDER BY c.mixed DESC",
          row -> sorted.falls(row.get("mixed").asInt()));
      assertEquals(ITEMS, sorted.rows);

      var grouped = new Counted();
      drain(
          container,
          "SELECT c.text, COUNT(1) AS items FROM c GROUP BY c.text",
          row -> grouped.next(row.get("items").asInt()));
      assertEquals(ITEMS, grouped.rows);

      assertTrue(server.complaints().isEmpty(), () -> String.join("\n", server.complaints()));
    }
  }

  /** Counts rows, and holds them to an order where there is one. */
  private static final class Counted {
    private int rows;
    private int last = Integer.MAX_VALUE;

    void next(int value) {
      assertTrue(value >= 0);
      rows++;
    }

    void falls(int value) {
      assertTrue(value <= last, () -> value + " comes after " + last);
      last = value;
      rows++;
    }
  }

  private static void load(RestContainer container) throws Exception {
    try (var loaders = Executors.newFixedThreadPool(LOADERS)) {
      var all = new ArrayList<Future<?>>();
      for (int loader = 0; loader < LOADERS; loader++) {
        int first = loader;
        all.add(loaders.submit(() -> loadFrom(first, container)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void loadFrom(int first, RestContainer container) {
    String filler = "x".repeat(ITEM_BYTES - 200);
    for (int n = first; n < ITEMS; n += LOADERS) {
      // Multiplying by an odd number scatters the order of the unindexed property.
      int mixed = (int) (n * 2_654_435_761L % 1_000_003);
      String item =
          "{\"id\":\"%d\",\"n\":%d,\"mixed\":%d,\"text\":\"%d%s\"}"
              .formatted(n, n, mixed, n, filler);
      container.rest().post(container.docs(), item).key("[\"" + n + "\"]").send().expect(201);
    }
  }

  private static void drain(RestContainer container, String query, Consumer<JsonNode> rows) {
    String continuation = "";
    do {
      var answer =
          RestQuery.across(container, query)
              .header("x-ms-max-item-count", "-1")
              .header("x-ms-continuation", continuation)
              .within(Duration.ofMinutes(3))
              .send()
              .expect(200);
      answer.json().get("Documents").forEach(rows);
      continuation = answer.header("x-ms-continuation");
    } while (!continuation.isEmpty());
  }
}
