package io.orrery.query;

import io.orrery.query.function.QueryClock;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What comes with a query besides its text: named values, functions, the time, the budget. */
public record Parameters(
    Map<String, Value> values, UserFunctions functions, QueryClock clock, QueryBudget budget) {

  /** Functions that users registered; the script room supplies them. */
  public interface UserFunctions {
    Value call(String name, List<Value> arguments);

    /**
     * The items that are evaluated next, so that calls of several can be made together.
     *
     * @param evaluation evaluates an item for nothing but its calls
     */
    default void ahead(List<Value> items, Consumer<Value> evaluation) {}

    /** From here on calls are those of the item, one of those that were named or not. */
    default void begin(Value item) {}
  }

  private static final UserFunctions NO_FUNCTIONS =
      (name, arguments) -> {
        throw QueryRefused.plain("The user defined function '" + name + "' does not exist.");
      };

  public static Parameters none() {
    return of(Map.of());
  }

  /** Names start with {@code @}. */
  public static Parameters of(Map<String, Value> values) {
    var clock = QueryClock.of(InstantSource.system());
    return new Parameters(values, NO_FUNCTIONS, clock, QueryBudget.unaccounted());
  }

  public Parameters with(UserFunctions supplied) {
    return new Parameters(values, supplied, clock, budget);
  }

  public Parameters with(QueryBudget supplied) {
    return new Parameters(values, functions, clock, supplied);
  }

  public Value value(String name) {
    return values.getOrDefault(name, Value.UNDEFINED);
  }
}
