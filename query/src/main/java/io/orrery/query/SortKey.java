package io.orrery.query;

import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.Work;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;

/** One key of ORDER BY; descending is the exact reverse. */
record SortKey(Code value, boolean descending) {

  static SortKey compile(Query.Key key, ExpressionCompiler expressions) {
    if (key.value() instanceof Expression.Call call
        && call.name().equalsIgnoreCase("VECTORDISTANCE")) {
      // The most similar comes first, whatever the distance function calls similar.
      Similarity similarity = Similarity.compile(call, expressions);
      return new SortKey(similarity.value(), !similarity.smallest());
    }
    return new SortKey(
        expressions.compile(key.value()), key.direction() == Query.Direction.DESCENDING);
  }

  int compare(Value left, Value right, Work work) {
    return descending
        ? ValueOrder.ORDER.compare(right, left, work)
        : ValueOrder.ORDER.compare(left, right, work);
  }
}
