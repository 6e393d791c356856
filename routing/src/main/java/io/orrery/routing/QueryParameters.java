package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.SqlQuery;
import io.orrery.query.Parameters;
import io.orrery.query.QueryBudget;
import io.orrery.value.Json;
import io.orrery.value.Value;
import io.orrery.value.Weight;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The values that come with a query, and what its planning or evaluation in memory may use. */
final class QueryParameters {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** Smaller values are not worth the counting. */
  private static final int SMALL_BYTES = 16 << 10;

  private QueryParameters() {}

  /** The time begins now; the budget is to be closed. */
  static Parameters of(SqlQuery query) {
    return of(query, () -> false);
  }

  /** The same for a client that may go. */
  static Parameters of(SqlQuery query, BooleanSupplier cancelled) {
    long deadline = System.nanoTime() + NANOS_MAX;
    var budget = QueryBudget.of(Memory.process(), deadline, cancelled);
    try {
      draw(query, budget);
      Map<String, Value> values = new HashMap<>();
      query
          .parameters()
          .forEach((name, body) -> values.put(name, Json.parse(body.bytes().array())));
      return Parameters.of(values).with(budget);
    } catch (RuntimeException | Error e) {
      budget.close();
      throw e;
    }
  }

  /** Draws the memory of the parsed values, unless all of them together are small. */
  private static void draw(SqlQuery query, QueryBudget budget) {
    long bytes = query.parameters().values().stream().mapToLong(body -> body.bytes().size()).sum();
    if (bytes >= SMALL_BYTES) {
      query.parameters().values().forEach(body -> budget.take(Weight.ofText(body.bytes().array())));
    }
  }
}
