package io.orrery.routing;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
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

  /**
   * Among the items of a query that groups.
   *
   * @param groups what was gathered and not given
   */
  record Grouped(List<Value> groups, List<Rest> rest) implements QueryToken {}

  /**
   * Keys whose items behind the counter are still to be read.
   *
   * @param counter {@link #UNTOUCHED} for all of them
   */
  record Rest(EpkRange epks, long counter) {
    static final long UNTOUCHED = -1;

    private static Rest of(Value written) {
      List<Value> parts = ((Value.Arr) written).items();
      return new Rest(new EpkRange(epk(parts.get(0)), epk(parts.get(1))), number(parts.get(2)));
    }

    private Value written() {
      return new Value.Arr(
          List.of(Value.of(epks.min().hex()), Value.of(epks.max().hex()), Value.of(counter)));
    }

    private static EffectivePartitionKey epk(Value hex) {
      return new EffectivePartitionKey(((Value.Text) hex).value());
    }
  }

  static QueryToken parse(String text) {
    List<Value> parts = ((Value.Arr) Json.parse(text)).items();
    List<Value> rest = parts.subList(1, parts.size());
    return switch (parts.getFirst()) {
      case Value.Text _ -> new Kept(number(rest.get(0)), number(rest.get(1)), number(rest.get(2)));
      case Value.Arr(var groups) -> new Grouped(groups, rest.stream().map(Rest::of).toList());
      default ->
          new Streamed(
              (int) number(parts.getFirst()),
              new Window(number(rest.get(0)), number(rest.get(1))),
              List.copyOf(rest.subList(2, rest.size())));
    };
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
      case Grouped(var groups, var rest) -> {
        parts.add(new Value.Arr(groups));
        rest.forEach(stretch -> parts.add(stretch.written()));
      }
    }
    return new String(Json.write(new Value.Arr(parts)), StandardCharsets.UTF_8);
  }

  private static long number(Value value) {
    return ((Value.Int64) value).value();
  }
}
