package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import java.nio.charset.StandardCharsets;

/** What clients are told of a query that was refused. */
final class QueryRefusals {
  private QueryRefusals() {}

  static Refusal of(QueryRefused refused) {
    return switch (refused.kind()) {
      case QUERY ->
          new Refusal.BadQuery(new String(Json.write(refused.body()), StandardCharsets.UTF_8));
      case OUT_OF_TIME -> new Refusal.TimedOut(refused.message());
      case BUSY -> new Refusal.Unavailable(refused.message());
    };
  }
}
