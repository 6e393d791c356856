package io.orrery.routing;

import io.orrery.operation.SqlQuery;
import io.orrery.query.Parameters;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.HashMap;
import java.util.Map;

/** The values that come with a query. */
final class QueryParameters {
  private QueryParameters() {}

  static Parameters of(SqlQuery query) {
    Map<String, Value> values = new HashMap<>();
    query.parameters().forEach((name, body) -> values.put(name, Json.parse(body.bytes().array())));
    return Parameters.of(values);
  }
}
