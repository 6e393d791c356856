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
    CompiledQuery query = CompiledQuery.of(SqlText.parseCondition(condition));
    if (!query.isItemwise()) {
      throw QueryRefused.plain(
          "A condition looks at one item: it cannot group or remove duplicates.");
    }
    return new Predicate(query);
  }

  /**
   * Whether the condition holds.
   *
   * @throws QueryRefused when deciding takes more than the budget
   */
  public boolean test(Value item, QueryBudget budget) {
    ItemRows rows = query.rows(Parameters.none().with(budget));
    try {
      return !rows.each(item, (row, keys) -> false);
    } finally {
      rows.report();
    }
  }
}
