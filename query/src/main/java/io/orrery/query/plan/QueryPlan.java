package io.orrery.query.plan;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.QueryRefused;

/** The plan of a query over partitions: how to merge, and which keys to ask. */
public record QueryPlan(QueryInfo info, KeyFilter keys) {

  /**
   * Plans a query.
   *
   * @throws QueryRefused when partial results could not be merged
   */
  public static QueryPlan of(
      CompiledQuery query, Parameters parameters, PartitionKeyDefinition definition) {
    return new QueryPlan(
        Rewriting.of(query.query(), parameters), KeyAnalysis.of(query, parameters, definition));
  }
}
