package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;

/**
 * The part of the rows that TOP, OFFSET and LIMIT ask for.
 *
 * @param limit {@link Long#MAX_VALUE} when there is none
 */
public record Window(long offset, long limit) {
  public static final Window ALL = new Window(0, Long.MAX_VALUE);

  static Window of(Query query, Parameters parameters) {
    Query.Top top = query.select().top();
    Query.OffsetLimit window = query.offsetLimit();
    long limit = top == null ? Long.MAX_VALUE : count(top.count(), parameters);
    if (window == null) {
      return new Window(0, limit);
    }
    return new Window(
        count(window.offset(), parameters), Math.min(limit, count(window.limit(), parameters)));
  }

  public boolean isLimited() {
    return limit != Long.MAX_VALUE;
  }

  /** How many rows, counted from the first, suffice. */
  public long enough() {
    return limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + limit;
  }

  private static long count(Expression expression, Parameters parameters) {
    Value value =
        switch (expression) {
          case Expression.Literal(var literal, _) -> literal;
          case Expression.Parameter(var name, _) -> parameters.value(name);
          default -> Value.UNDEFINED;
        };
    if (value instanceof Value.Num number
        && number.asDouble() == Math.rint(number.asDouble())
        && number.asDouble() >= 0
        && number.asDouble() <= 0xFFFF_FFFFL) {
      return (long) number.asDouble();
    }
    throw new QueryRefused(
        "SC2060", "The count value provided for a TOP clause must be an integer.", expression.at());
  }
}
