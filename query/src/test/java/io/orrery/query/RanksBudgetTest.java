package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What ORDER BY RANK knows of its rows counts as memory of the query, wherever the rows are. */
class RanksBudgetTest {
  private final Memory memory = Memory.ofHeap(256L << 20);

  @Test
  void factsOfRowsAreDrawnAndBounded() {
    CompiledQuery query =
        Queries.compile("SELECT c.id FROM c ORDER BY RANK FullTextScore(c.t, 'a', 'b')");
    List<Value> facts = List.of(new Value.Arr(List.of(Value.of(9), Value.of(1), Value.of(2))));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (var budget = QueryBudget.of(memory, deadline, () -> false)) {
      RankTable ranks = Objects.requireNonNull(query.ranks(Parameters.none().with(budget)));
      for (int i = 0; i < 10_000; i++) {
        ranks.add(facts);
      }
      assertTrue(memory.takenBytes(Memory.Lane.QUERY) >= 3 * 8 * 10_000);
      var refused =
          assertThrows(
              QueryRefused.class,
              () -> {
                for (int i = 0; i < 10_000_000; i++) {
                  ranks.add(facts);
                }
              });
      assertTrue(refused.message().contains("memory at once"), refused.message());
    }
    assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
  }

  @Test
  void scoringAndSortingCountStepsAndEndWithTheQuery() {
    int rows = 10_000;
    CompiledQuery query =
        Queries.compile(
            "SELECT c.id FROM c"
                + " ORDER BY RANK RRF(FullTextScore(c.t, 'a'), FullTextScore(c.t, 'b'))");
    var gone = new AtomicBoolean();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (var budget = QueryBudget.of(memory, deadline, gone::get)) {
      Parameters parameters = Parameters.none().with(budget);
      RankTable ranks = Objects.requireNonNull(query.ranks(parameters));
      var random = new Random(1);
      for (int i = 0; i < rows; i++) {
        Value facts = new Value.Arr(List.of(Value.of(9), Value.of(random.nextInt(100))));
        ranks.add(List.of(facts, facts));
      }
      var comparisons = new Comparisons(parameters);
      assertEquals(rows, ranks.order(comparisons).length);
      // Two columns and three sorts.
      assertTrue(comparisons.takeSteps() > 2 * rows + 3 * rows);
      gone.set(true);
      assertThrows(QueryRefused.class, () -> ranks.order(new Comparisons(parameters)));
    }
  }
}
