package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.query.function.Functions;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every function, also one that nobody has thought of a limit for, over large values of every kind
 * in every place. {@link LimitsTest} has the values that are worst for functions that are known.
 */
class EveryFunctionTest {
  private static final Memory MEMORY = Memory.ofHeap(256L << 20);
  private static final long TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A loop over every pair of characters or elements takes far longer. */
  private static final long PROCESSOR_NANOS = 12 * TIME_NANOS;

  private static final int LARGE = 1 << 18;
  private static final Value.Obj ITEM = LargeCalls.item(LARGE);

  static Stream<String> names() {
    return Functions.names().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("names")
  @Timeout(300)
  void endsWithinItsBudget(String name) {
    List<String> calls = LargeCalls.of(name);
    assertNotEquals(List.of(), calls);
    for (String call : calls) {
      long before = ProcessorTime.nanos();
      run("SELECT VALUE IS_DEFINED(" + call + ") FROM c");
      long taken = ProcessorTime.nanos() - before;
      assertTrue(
          taken < PROCESSOR_NANOS, () -> call + " took " + taken / 1_000_000 + " ms of the core");
      assertEquals(0, MEMORY.takenBytes(Memory.Lane.QUERY), call);
    }
  }

  private static void run(String query) {
    try (var budget = QueryBudget.of(MEMORY, System.nanoTime() + TIME_NANOS, () -> false)) {
      Queries.compile(query).run(List.of(ITEM), Parameters.none().with(budget));
    } catch (QueryRefused refused) {
      assertNotEquals(QueryRefused.Kind.BUSY, refused.kind(), refused::message);
    }
  }
}
