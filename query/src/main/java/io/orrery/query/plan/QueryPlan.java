package io.orrery.query.plan;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;

/** The plan of a query over partitions: how to merge, and which keys to ask. */
public record QueryPlan(Merge merge, KeyFilter keys) {

  /** How the answers of partitions become one. */
  public sealed interface Merge permits QueryInfo, HybridSearch {}

  /**
   * Plans a query.
   *
   * @throws QueryRefused when partial results could not be merged
   */
  public static QueryPlan of(
      CompiledQuery compiled, Parameters parameters, PartitionKeyDefinition definition) {
    Query query = compiled.query();
    Query.OrderBy orderBy = query.orderBy();
    Merge merge =
        orderBy != null && orderBy.rank()
            ? HybridRewriting.of(compiled, orderBy, parameters)
            : Rewriting.of(compiled, parameters);
    return new QueryPlan(merge, KeyAnalysis.of(compiled, parameters, definition));
  }
}
