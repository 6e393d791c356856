package io.orrery.routing;

import io.orrery.query.Window;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Where a query goes on. Only what was signed for the query comes back: see QueryTokens. */
sealed interface QueryToken {

  /**
   * In a stream of rows.
   *
   * @param sorts how many sort keys the position has; zero in order of insertion
   * @param window what is left of it
   */
  record Streamed(int sorts, Window window, List<Value> position) implements QueryToken {}

  /**
   * In a result that may have been kept.
   *
   * @param node the number of the member that keeps it
   */
  record Kept(long node, long id, long given) implements QueryToken {}

  static QueryToken parse(String text) {
    List<Value> parts = ((Value.Arr) Json.parse(text)).items();
    List<Value> rest = parts.subList(1, parts.size());
    return parts.getFirst() instanceof Value.Text
        ? new Kept(number(rest.get(0)), number(rest.get(1)), number(rest.get(2)))
        : new Streamed(
            (int) number(parts.getFirst()),
            new Window(number(rest.get(0)), number(rest.get(1))),
            List.copyOf(rest.subList(2, rest.size())));
  }

  default String text() {
    List<Value> parts = new ArrayList<>();
    switch (this) {
      case Kept(long node, long id, long given) -> {
        parts.add(Value.of("kept"));
        parts.add(Value.of(node));
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
