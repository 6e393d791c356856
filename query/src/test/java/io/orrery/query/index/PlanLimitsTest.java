package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.query.plan.KeyAnalysis;
import io.orrery.query.plan.QueryPlan;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans of queries that ask for much with few words; what is too much is left to the items. */
class PlanLimitsTest {
  private static final Memory MEMORY = Memory.ofHeap(1L << 30);
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);
  private static final IndexPolicy POLICY =
      IndexPolicy.of((Value.Obj) Json.parse("{\"includedPaths\":[{\"path\":\"/*\"}]}"), KEY);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Value NUMBERS =
      new Value.Arr(IntStream.range(0, 100_000).mapToObj(i -> Value.of((long) i)).toList());

  record Asked(String name, String filter, Map<String, Value> parameters) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String joined(int count, String separator, IntFunction<String> part) {
    return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(separator));
  }

  static Stream<Asked> asked() {
    Map<String, Value> numbers = Map.of("@a", NUMBERS);
    Map<String, Value> text = Map.of("@a", Value.of("x".repeat(1 << 20)));
    Map<String, Value> object =
        Map.of(
            "@a",
            Json.parse(
                "{" + joined(16, ",", i -> "\"" + i + "\":\"" + "x".repeat(1_000) + "\"") + "}"));
    return Stream.of(
        new Asked("keys", joined(5_000, " AND ", i -> "ARRAY_CONTAINS(@a, c.pk)"), numbers),
        new Asked("values", joined(900, " AND ", i -> "ARRAY_CONTAINS(@a, c.x)"), numbers),
        new Asked("texts", "c.x IN (" + joined(160_000, ",", i -> "@a") + ")", text),
        new Asked("equal texts", joined(40_000, " OR ", i -> "c.x=@a"), text),
        new Asked("equal objects", joined(40_000, " OR ", i -> "c.x=@a"), object),
        new Asked("patterns", joined(20_000, " OR ", i -> "c.x LIKE @a"), text),
        new Asked("no index", joined(20_000, " AND ", i -> "c._rid.a" + i + "=1"), Map.of()),
        new Asked(
            "composites",
            joined(8_000, " AND ", i -> "c.a" + i + "=1 AND c.b" + i + ">1"),
            Map.of()),
        new Asked("conditions", "c.x IN (" + joined(40_000, ",", i -> "c.a" + i) + ")", Map.of()));
  }

  @ParameterizedTest
  @MethodSource("asked")
  void plansInTime(Asked asked) {
    var query = Queries.compile("SELECT * FROM c WHERE " + asked.filter);
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
          try (var budget = QueryBudget.of(MEMORY, deadline, () -> false)) {
            var parameters = Parameters.of(asked.parameters).with(budget);
            KeyAnalysis.of(query, parameters, KEY);
            AccessPlan plan = AccessPlan.of(query, parameters, POLICY);
            int bytes = Json.write(IndexMetrics.v1(plan)).length;
            assertTrue(bytes < 1 << 20, bytes + " bytes of index metrics");
          } catch (QueryRefused e) {
            assertEquals(QueryRefused.Kind.OUT_OF_TIME, e.kind(), e.message());
          }
        });
    assertEquals(0, MEMORY.takenBytes(Memory.Lane.QUERY));
  }

  static Stream<String> ranks() {
    return Stream.of(
        "RRF(" + joined(4_000, ",", i -> "FULLTEXTSCORE(c.t, 'a')") + ")",
        "FULLTEXTSCORE(CONCAT(c.t, '"
            + "a".repeat(100_000)
            + "'), "
            + joined(40_000, ",", i -> "'a'")
            + ")");
  }

  @ParameterizedTest
  @MethodSource("ranks")
  void refusesPlansThatAreTooLong(String rank) {
    var query = Queries.compile("SELECT * FROM c ORDER BY RANK " + rank);
    assertTimeoutPreemptively(
        PATIENCE,
        () -> assertThrows(QueryRefused.class, () -> QueryPlan.of(query, Parameters.none(), KEY)));
  }
}
