package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Filters put together at random: each is served, or refused as bad input. */
class GeneratedFiltersTest {
  private static final String[] WORDS = {
    "a",
    "PartitionKey",
    "RowKey",
    "Timestamp",
    "eq",
    "ne",
    "gt",
    "le",
    "and",
    "or",
    "not",
    "(",
    ")",
    "'x'",
    "'",
    "5",
    "5L",
    "1.5e3",
    "-",
    "true",
    "X'01'",
    "guid'z'",
    "datetime'2020-01-01'"
  };

  @Test
  void everyFilterIsServedOrRefused() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    try (var server = new TableFixture()) {
      server.post("/Tables", "{\"TableName\":\"people\"}");
      server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":5}");
      for (int i = 0; i < 500; i++) {
        var filter = new StringBuilder();
        for (int word = random.nextInt(12); word >= 0; word--) {
          filter.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
        }
        var answer =
            server.get(
                "/people()?$filter="
                    + URLEncoder.encode(filter.toString(), StandardCharsets.UTF_8));
        boolean refused = answer.statusCode() == 400 && answer.body().contains("\"InvalidInput\"");
        assertTrue(
            answer.statusCode() == 200 || refused,
            () -> "seed " + seed + ": " + filter + answer.body());
      }
    }
  }
}
