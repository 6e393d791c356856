package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.plan.PartialForm;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plans make of aggregates is known again; what people write is not taken for it. */
class PartialFormTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE COUNT(1) FROM c",
        "SELECT VALUE AVG(c.n) FROM c WHERE c.n > 1",
        "SELECT VALUE MIN(c.n) FROM c",
        "SELECT COUNT(1) AS k, MAX(c.n) AS m, AVG(c.n) AS a FROM c",
        "SELECT c.g, SUM(c.n) AS s FROM c GROUP BY c.g",
        "SELECT c.g, c.h FROM c GROUP BY c.g, c.h",
        "SELECT VALUE SUM(c.n) FROM c GROUP BY c.g",
        "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags"
      })
  void plansOfAggregatesAreKnown(String sql) {
    CompiledQuery query = Queries.compile(sql);
    QueryPlan.Merge merge = QueryPlan.of(query, Parameters.none(), KEY).merge();
    String rewritten = assertInstanceOf(QueryInfo.class, merge).rewrittenQuery();
    assertTrue(PartialForm.isOf(Queries.compile(rewritten).query()), rewritten);
    assertFalse(PartialForm.isOf(query.query()), sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE [COUNT(1)] FROM c",
        "SELECT VALUE {\"item\": COUNT(1)} FROM c",
        "SELECT {\"k\": COUNT(1)} AS payload FROM c",
        "SELECT [{\"item\": c.g}] AS groupByItems, COUNT(1) AS k FROM c GROUP BY c.g",
        "SELECT TOP 1 VALUE [{\"item\": COUNT(1)}] FROM c",
        "SELECT DISTINCT VALUE [{\"item\": COUNT(1)}] FROM c"
      })
  void otherQueriesAreNot(String sql) {
    assertFalse(PartialForm.isOf(Queries.compile(sql).query()), sql);
  }
}
