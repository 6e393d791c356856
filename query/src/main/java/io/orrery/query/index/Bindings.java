package io.orrery.query.index;

import io.orrery.query.syntax.Expression;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the names of a query stand for, innermost query first. */
final class Bindings {
  /** What a name or an expression is: a place in the item, or an expression over other names. */
  sealed interface Meaning {
    /** Found in the item. */
    record Located(Place place) implements Meaning {}

    /** Computed from what the bindings name. */
    record Written(Expression expression, Bindings bindings) implements Meaning {}

    /** Not to be told before the query runs. */
    record Unknown() implements Meaning {}
  }

  static final Meaning UNKNOWN = new Meaning.Unknown();

  private final @Nullable Bindings outer;
  private final Map<String, Meaning> names = new HashMap<>();
  private Meaning last = UNKNOWN;

  Bindings(@Nullable Bindings outer) {
    this.outer = outer;
  }

  void declare(@Nullable String alias, Meaning meaning) {
    if (alias != null) {
      names.put(alias, meaning);
    }
    last = meaning;
  }

  /** What the only input is, as a star selects it. */
  Meaning last() {
    return last;
  }

  @Nullable Meaning find(String name) {
    Meaning own = names.get(name);
    return own != null || outer == null ? own : outer.find(name);
  }

  boolean isEmpty() {
    return names.isEmpty() && (outer == null || outer.isEmpty());
  }
}
