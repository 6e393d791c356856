package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queries whose time is over as soon as they begin. */
class QueryDeadlineTest {
  private static final int ITEMS = 120;

  private static QueriedDatabase filled() {
    var usual = QuerySettings.DEFAULT;
    var database =
        new QueriedDatabase(
            new QuerySettings(
                usual.directory(),
                usual.memoryBytes(),
                usual.directoryBytes(),
                Duration.ZERO,
                Duration.ZERO));
    database.create(TestDatabase.KEYED, new Throughput.Manual(50_000));
    database.insert(
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "{'id':'" + i + "','pk':'p" + i + "','n':" + i + "}")
            .toList());
    return database;
  }

  @Test
  void everyPageGetsOnAndAllRowsCome() {
    try (var database = filled()) {
      var first = database.page("SELECT VALUE c.n FROM c", -1, null);
      assertTrue(first.rows().size() < ITEMS && first.continuation() != null);
      List<String> expected =
          IntStream.range(0, ITEMS).mapToObj(Integer::toString).sorted().toList();
      assertEquals(
          expected, database.all("SELECT VALUE c.n FROM c", -1).stream().sorted().toList());
      assertEquals(
          IntStream.range(0, ITEMS).mapToObj(Integer::toString).toList(),
          database.all("SELECT VALUE c.n FROM c ORDER BY c.n", -1));
    }
  }

  @Test
  void whatMustSeeAllItemsFirstIsRefusedWhenItTakesTooLong() {
    try (var database = filled()) {
      var outcome = database.answer("SELECT DISTINCT VALUE c.n FROM c", -1, null).outcome();
      assertInstanceOf(Refusal.TimedOut.class, outcome);
    }
  }
}
