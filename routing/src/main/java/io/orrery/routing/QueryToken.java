package io.orrery.routing;

import io.orrery.query.Window;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a query goes on. Only what was signed comes back, so nothing needs to be checked but
 * whether it fits the query.
 */
sealed interface QueryToken {

  /**
   * In a stream of rows.
   *
   * @param sorts how many sort keys the position has; zero in order of insertion
   * @param window what is left of it
   */
  record Streamed(int sorts, Window window, List<Value> position) implements QueryToken {}

  /** In a result that may have been kept. */
  record Kept(long id, long given) implements QueryToken {}

  static QueryToken parse(String text) {
    List<Value> parts = ((Value.Arr) Json.parse(text)).items();
    if (parts.size() == 2) {
      return new Kept(number(parts.get(0)), number(parts.get(1)));
    }
    return new Streamed(
        (int) number(parts.get(0)),
        new Window(number(parts.get(1)), number(parts.get(2))),
        List.copyOf(parts.subList(3, parts.size())));
  }

  default String text() {
    List<Value> parts = new ArrayList<>();
    switch (this) {
      case Kept(long id, long given) -> {
        parts.add(Value.of(id));
        parts.add(Value.of(given));
      }
      case Streamed(int sorts, Window window, var position) -> {
        parts.add(Value.of(sorts));
        parts.add(Value.of(window.offset()));
        parts.add(Value.of(window.limit()));
        parts.addAll(position);
      }
    }
    return new String(Json.write(new Value.Arr(parts)), StandardCharsets.UTF_8);
  }

  private static long number(Value value) {
    return ((Value.Int64) value).value();
  }
}
