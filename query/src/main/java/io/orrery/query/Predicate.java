package io.orrery.query;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlText;
import io.orrery.value.Value;

/** A condition on one item, as partial updates carry it: {@code from c where c.n = 10}. */
public final class Predicate {
  private final CompiledQuery query;

  private Predicate(CompiledQuery query) {
    this.query = query;
  }

  /**
   * Compiles a condition.
   *
   * @throws QueryRefused with every reason why it cannot be decided
   */
  public static Predicate compile(String condition) {
    return new Predicate(CompiledQuery.of(SqlText.parseCondition(condition)));
  }

  public boolean test(Value item) {
    return !query.rows(item, Parameters.none()).isEmpty();
  }
}
