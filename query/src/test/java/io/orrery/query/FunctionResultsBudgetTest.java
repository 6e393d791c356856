package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What functions of users give counts like what those of the language make. */
class FunctionResultsBudgetTest {
  private final Memory memory = Memory.ofHeap(256L << 20);

  private void run(String expression, int times) {
    CompiledQuery query =
        Queries.compile(
            IntStream.range(0, times)
                .mapToObj(i -> expression.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(", ", "SELECT VALUE ARRAY_LENGTH([", "]) FROM c")));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (var budget = QueryBudget.of(memory, deadline, () -> false)) {
      Parameters parameters =
          Parameters.none().with((name, given) -> Value.of("x".repeat(2 << 20))).with(budget);
      query.run(List.of(Value.NULL), parameters);
    } finally {
      assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
    }
  }

  @Test
  void resultsOfOneItemAreHeldTogether() {
    run("udf.f(#)", 3);
    var refused = assertThrows(QueryRefused.class, () -> run("udf.f(#)", 10));
    assertTrue(refused.message().contains("memory at once"), refused.message());
  }
}
