package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import io.orrery.value.Value;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a plan tells a client to send is accepted wherever the query itself was. */
class RewrittenNestingTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);
  private static final Value ITEM = Cases.value("{\"id\":\"1\",\"n\":7,\"b\":true}");

  static Stream<String> longChains() {
    return Stream.of(
        chain("c.n = %d", " OR ", 1_000),
        "NOT (" + chain("c.n = %d", " AND ", 1_000) + ")",
        "+ ".repeat(200) + "c.n = 7",
        "- ".repeat(200) + "c.n = 7",
        "~ - ".repeat(100) + "c.n != 0.5",
        "NOT ".repeat(200) + "c.b",
        "- NOT ".repeat(100) + "c.b != 0.5",
        "c.n + " + chain("%d", " + ", 240) + " > 0",
        "c.n" + " + 1 - 1".repeat(120) + " > 0",
        "(c.n" + " << 1 >>> 1 >> 1".repeat(80) + ") = 0",
        chain("c.m%d", " ?? ", 100) + " ?? true",
        "c.n = 0 ? 1 : ".repeat(60) + "c.b");
  }

  private static String chain(String part, String operator, int length) {
    return IntStream.range(0, length)
        .mapToObj(part::formatted)
        .collect(Collectors.joining(operator));
  }

  @ParameterizedTest
  @MethodSource("longChains")
  void rewrittenQueriesNestNoDeeperThanTheOriginal(String condition) {
    String sql = "SELECT c.id FROM c WHERE " + condition;
    CompiledQuery query = Queries.compile(sql + " OFFSET 0 LIMIT 5");
    QueryPlan.Merge merge = QueryPlan.of(query, Parameters.none(), KEY).merge();
    String rewritten = assertInstanceOf(QueryInfo.class, merge).rewrittenQuery();
    // The window spans items.
    assertEquals(rows(sql), rows(rewritten.replaceFirst("\\s+OFFSET 0 LIMIT 5$", "")));
  }

  private static List<Value> rows(String sql) {
    return Queries.compile(sql).rows(ITEM, Parameters.none());
  }
}
