package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.index.AccessPlan;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.plan.KeyAnalysis;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Constants that a plan keeps are drawn from the memory of the query for as long as it is kept. */
class ConstantsBudgetTest {
  private static final int LONG_CHARS = 1 << 20;
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);

  private final Memory memory = Memory.ofHeap(256L << 20);

  private QueryBudget budget() {
    return QueryBudget.of(memory, System.nanoTime() + TimeUnit.SECONDS.toNanos(60), () -> false);
  }

  private static Parameters parameters(QueryBudget budget) {
    return Parameters.of(Map.of("@t", Value.of("a".repeat(LONG_CHARS)))).with(budget);
  }

  /** Each of the texts is made of a short call. */
  private static CompiledQuery among(String path, int texts) {
    return Queries.compile(
        IntStream.range(0, texts)
            .mapToObj(i -> "CONCAT(@t, '" + i + "')")
            .collect(Collectors.joining(", ", "SELECT * FROM c WHERE " + path + " IN (", ")")));
  }

  @Test
  void keysThatAreTooLargeTogetherAreRefused() {
    try (var budget = budget()) {
      var refused =
          assertThrows(
              QueryRefused.class,
              () -> KeyAnalysis.of(among("c.pk", 100), parameters(budget), KEY));
      assertTrue(refused.message().contains("memory at once"), refused.message());
    }
    assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
  }

  @Test
  void keysAreDrawnUntilTheBudgetIsClosed() {
    try (var budget = budget()) {
      KeyAnalysis.of(among("c.pk", 4), parameters(budget), KEY);
      assertTrue(memory.takenBytes(Memory.Lane.QUERY) >= 4 * LONG_CHARS);
    }
    assertEquals(0, memory.takenBytes(Memory.Lane.QUERY));
  }

  @Test
  void constantsOfTheIndexAreDrawnOnceEach() {
    var policy =
        IndexPolicy.of((Value.Obj) Json.parse("{\"includedPaths\":[{\"path\":\"/*\"}]}"), KEY);
    try (var budget = budget()) {
      AccessPlan.of(among("c.x", 4), parameters(budget), policy);
      long taken = memory.takenBytes(Memory.Lane.QUERY);
      assertTrue(taken >= 4 * LONG_CHARS && taken < 5 * LONG_CHARS, taken + " bytes");
    }
  }
}
