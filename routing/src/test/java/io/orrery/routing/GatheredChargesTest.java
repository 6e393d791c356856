package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Outcome;
import io.orrery.operation.Throughput;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is computed once all items were read costs what it costs beside the items. */
class GatheredChargesTest {
  private static final int ITEMS = 20;

  /** 10,000 combinations. */
  private static final String WORK =
      "(SELECT VALUE COUNT(1) FROM x IN (SELECT VALUE #) JOIN y IN (SELECT VALUE #)) AS w"
          .replace(
              "#",
              IntStream.range(0, 100)
                  .mapToObj(Integer::toString)
                  .collect(Collectors.joining(",", "[", "]")));

  private final QueriedDatabase database = new QueriedDatabase(QuerySettings.DEFAULT);

  @BeforeEach
  void fill() {
    database.create(TestDatabase.KEYED, new Throughput.Manual(20_000));
    database.insert(
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "{'id':'%d','pk':'p%d','g':%d}".formatted(i, i, i))
            .toList());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private double units(String query) {
    Answer answer = database.answer(query, -1, null);
    assertEquals(
        ITEMS, assertInstanceOf(Outcome.QueryPage.class, answer.outcome()).rows().size(), query);
    return answer.charge().units();
  }

  @Test
  void computingOverGroupsAndOverRowsOfASubqueryCosts() {
    double beside = units("SELECT c.g, " + WORK + " FROM c");
    double besideNothing = units("SELECT c.g FROM c");
    assertTrue(beside > besideNothing + 10, "" + beside);
    // 100,000 steps of a page are free there, which are ten units.
    double least = beside - 12;
    for (String query :
        new String[] {
          "SELECT c.g, COUNT(1) AS n, " + WORK + " FROM c GROUP BY c.g",
          "SELECT g, " + WORK + " FROM (SELECT DISTINCT VALUE c.g FROM c) g",
          "SELECT g, COUNT(1) AS n, "
              + WORK
              + " FROM (SELECT DISTINCT VALUE c.g FROM c) g GROUP BY g"
        }) {
      double units = units(query);
      assertTrue(units > least, () -> units + " against " + beside + ": " + query);
    }
    assertTrue(units("SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g") < besideNothing + 1);
  }
}
