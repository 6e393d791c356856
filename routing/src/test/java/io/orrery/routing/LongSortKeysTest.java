package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Sorted pages that end early, where keys are too long for a continuation: here, no page has time.
 */
class LongSortKeysTest {
  private static final int ITEMS = 40;
  private static final int PAGES_MAX = 1_000;

  private final QueriedDatabase database =
      new QueriedDatabase(QueriedDatabase.within(Duration.ZERO, QuerySettings.DEFAULT.totalTime()));

  @BeforeEach
  void fill() {
    database.create(TestDatabase.KEYED, new Throughput.Manual(20_000));
    database.insert(
        IntStream.range(0, ITEMS)
            .mapToObj(
                i ->
                    "{'id':'i%02d','pk':'p%d','n':%d,'long':'%s%02d'}"
                        .formatted(i, i % 9, i, "x".repeat(90), i))
            .toList());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void shortKeysMakeProgressFromPageToPage() {
    assertEquals(
        ITEMS, database.all("SELECT VALUE c.id FROM c WHERE c.n + 0 >= 0 ORDER BY c.n", 5).size());
    assertEquals(
        List.of(), database.all("SELECT VALUE c.id FROM c WHERE c.n + 0 < 0 ORDER BY c.n", 5));
  }

  @Test
  void aPageThatMakesNoProgressIsRefused() {
    for (String filter : new String[] {">= 0", "< 0"}) {
      String query = "SELECT VALUE c.id FROM c WHERE c.n + 0 " + filter + " ORDER BY c.long";
      List<String> rows = new ArrayList<>();
      String token = null;
      Outcome outcome;
      int pages = 0;
      do {
        assertTrue(++pages < PAGES_MAX, query);
        outcome = database.answer(query, 5, token).outcome();
        token = null;
        if (outcome instanceof Outcome.QueryPage page) {
          page.rows().forEach(row -> rows.add(row.utf8()));
          token = page.continuation();
        }
      } while (token != null);
      if (!(outcome instanceof Outcome.QueryPage)) {
        assertInstanceOf(Refusal.TimedOut.class, outcome, query);
      }
      List<String> all = IntStream.range(0, ITEMS).mapToObj(i -> "\"i%02d\"".formatted(i)).toList();
      assertEquals(filter.equals("< 0") ? List.of() : all.subList(0, rows.size()), rows);
    }
  }
}
