package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.SqlQuery;
import io.orrery.query.Parameters;
import io.orrery.query.QueryBudget;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The values that come with a query, and what its planning or evaluation in memory may use. */
final class QueryParameters {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private QueryParameters() {}

  /** The time begins now; the budget is to be closed. */
  static Parameters of(SqlQuery query) {
    return of(query, () -> false);
  }

  /** The same for a client that may go. */
  static Parameters of(SqlQuery query, BooleanSupplier cancelled) {
    Map<String, Value> values = new HashMap<>();
    query.parameters().forEach((name, body) -> values.put(name, Json.parse(body.bytes().array())));
    long deadline = System.nanoTime() + NANOS_MAX;
    return Parameters.of(values).with(QueryBudget.of(Memory.process(), deadline, cancelled));
  }
}
