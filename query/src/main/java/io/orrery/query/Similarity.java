package io.orrery.query;

import io.orrery.query.function.Operators;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A distance of vectors that rows are ordered by.
 *
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
    if (isWritten(options)) {
      return new Similarity(distance, VectorDistance.nearestIsSmallest(written(options), policy));
    }
    // What a parameter or a computation says is known when the query runs, and bounded only then.
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

  private static boolean isWritten(Expression options) {
    return options instanceof Expression.ObjectOf(var members, _)
        && members.stream().allMatch(member -> member.value() instanceof Expression.Literal);
  }

  private static Value written(Expression options) {
    Map<String, Value> written = new LinkedHashMap<>();
    if (options instanceof Expression.ObjectOf(var members, _)) {
      for (Expression.Member member : members) {
        if (member.value() instanceof Expression.Literal(Value value, _)) {
          written.put(member.name(), value);
        }
      }
    }
    return new Value.Obj(written);
  }
}
