package io.orrery.query;

import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.Comparator;

/** One key of ORDER BY; descending is the exact reverse. */
record SortKey(Code value, Comparator<Value> order) {

  static SortKey compile(Query.Key key, ExpressionCompiler expressions) {
    Comparator<Value> order = ValueOrder.ORDER;
    boolean descending = key.direction() == Query.Direction.DESCENDING;
    if (key.value() instanceof Expression.Call call
        && call.name().equalsIgnoreCase("VECTORDISTANCE")) {
      // The most similar comes first, whatever the distance function calls similar.
      descending =
          !VectorDistance.nearestIsSmallest(options(call), expressions.vectorFunction(call));
    }
    return new SortKey(expressions.compile(key.value()), descending ? order.reversed() : order);
  }

  private static Value options(Expression.Call call) {
    return call.arguments().size() > 3
        ? new ExpressionCompiler(new Scope(null, new Scope.Layout(VectorPolicy.NONE)))
            .compile(call.arguments().get(3))
            .run(new Frame(1, 0, Parameters.none()))
        : Value.UNDEFINED;
  }
}
