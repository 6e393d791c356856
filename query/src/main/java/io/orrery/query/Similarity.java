package io.orrery.query;

import io.orrery.query.function.Operators;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The vector distance that rows are ordered by.
 *
 * @param value the distance; negated if its options are computed and the smaller one is nearer
 * @param smallest whether the smaller value is the more similar one
 */
record Similarity(Code value, boolean smallest) {
  static Similarity compile(Expression.Call call, ExpressionCompiler expressions) {
    Code distance = expressions.compile(call);
    String policy = expressions.vectorFunction(call);
    if (call.arguments().size() < 4) {
      return new Similarity(distance, VectorDistance.nearestIsSmallest(Value.UNDEFINED, policy));
    }
    Expression options = call.arguments().get(3);
    if (isLiteral(options)) {
      return new Similarity(distance, VectorDistance.nearestIsSmallest(literal(options), policy));
    }
    // The options are known when the query runs, and only a running query has a budget.
    Code computed = expressions.compile(options);
    return new Similarity(
        frame -> {
          Value value = distance.run(frame);
          return VectorDistance.nearestIsSmallest(computed.run(frame), policy)
              ? Operators.minus(value)
              : value;
        },
        false);
  }

  private static boolean isLiteral(Expression options) {
    return options instanceof Expression.ObjectOf(var members, _)
        && members.stream().allMatch(member -> member.value() instanceof Expression.Literal);
  }

  private static Value literal(Expression options) {
    Map<String, Value> literals = new LinkedHashMap<>();
    if (options instanceof Expression.ObjectOf(var members, _)) {
      for (Expression.Member member : members) {
        if (member.value() instanceof Expression.Literal(Value value, _)) {
          literals.put(member.name(), value);
        }
      }
    }
    return new Value.Obj(literals);
  }
}
