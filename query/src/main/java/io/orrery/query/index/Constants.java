package io.orrery.query.index;

import io.orrery.operation.Keyword;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.Subexpressions;
import io.orrery.value.Value;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Expressions whose value is known before the query runs. */
final class Constants {
  private final Parameters parameters;

  /** A condition asks for its constants several times; each is computed and drawn once. */
  private final IdentityHashMap<Expression, @Nullable Value> computed = new IdentityHashMap<>();

  Constants(Parameters parameters) {
    this.parameters = parameters;
  }

  Parameters parameters() {
    return parameters;
  }

  /** Null when the value depends on the row, on chance or on the running clock. */
  @Nullable Value value(Expression expression) {
    return switch (expression) {
      case Expression.Literal(var value, _) -> value;
      case Expression.Parameter(var name, _) -> parameters.value(name);
      default -> remembered(expression);
    };
  }

  private @Nullable Value remembered(Expression expression) {
    if (!computed.containsKey(expression)) {
      computed.put(expression, isConstant(expression) ? computed(expression) : null);
    }
    return computed.get(expression);
  }

  private @Nullable Value computed(Expression expression) {
    try {
      return Queries.constant(expression, parameters);
    } catch (QueryRefused e) {
      if (e.kind() != QueryRefused.Kind.QUERY) {
        throw e;
      }
      return null; // the rows say so, if there are any
    }
  }

  private static boolean isConstant(Expression expression) {
    return switch (expression) {
      case Expression.Reference _, Expression.Subquery _ -> false;
      case Expression.Call call when call.udf() || varies(call.name()) -> false;
      default -> Subexpressions.of(expression).stream().allMatch(Constants::isConstant);
    };
  }

  private static boolean varies(String function) {
    String upper = Keyword.upper(function);
    return upper.equals("RAND")
        || upper.equals("NOW")
        || upper.equals("AGO")
        || (upper.startsWith("GETCURRENT") && !upper.endsWith("STATIC"));
  }
}
