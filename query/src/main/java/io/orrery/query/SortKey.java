package io.orrery.query;

import io.orrery.query.function.ValueOrder;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.Comparator;

/** One key of ORDER BY; descending is the exact reverse. */
record SortKey(Code value, Comparator<Value> order) {

  static SortKey compile(Query.Key key, ExpressionCompiler expressions) {
    if (key.value() instanceof Expression.Call call
        && call.name().equalsIgnoreCase("VECTORDISTANCE")) {
      // The most similar comes first, whatever the distance function calls similar.
      Similarity similarity = Similarity.compile(call, expressions);
      return of(similarity.value(), !similarity.smallest());
    }
    return of(expressions.compile(key.value()), key.direction() == Query.Direction.DESCENDING);
  }

  private static SortKey of(Code value, boolean descending) {
    Comparator<Value> order = ValueOrder.ORDER;
    return new SortKey(value, descending ? order.reversed() : order);
  }
}
