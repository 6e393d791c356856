package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The values that come with a query, and the time it has. */
final class QueryParameters {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private QueryParameters() {}

  /** The time begins now. */
  static Parameters of(SqlQuery query) {
    long start = System.nanoTime();
    Map<String, Value> values = new HashMap<>();
    query.parameters().forEach((name, body) -> values.put(name, Json.parse(body.bytes().array())));
    return Parameters.of(values).with(() -> System.nanoTime() - start > NANOS_MAX);
  }

  /**
   * All rows of a query over items in memory.
   *
   * @throws Refused when the time was over before
   */
  static List<Value> run(CompiledQuery query, Iterable<Value> items, Parameters parameters) {
    try {
      return query.run(items, parameters);
    } catch (QueryRefused e) {
      if (parameters.patience().isOver()) {
        throw new Refused(new Refusal.TimedOut("The query took longer than a request may."));
      }
      throw e;
    }
  }
}
