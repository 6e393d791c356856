package io.orrery.query.function;

import io.orrery.operation.Keyword;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;

/**
 * The similarity of two vectors, computed exactly whatever index the options wish for. The distance
 * function is the one that the options name, else that of the container's policy for the path.
 */
public final class VectorDistance {
  public static final String DEFAULT_FUNCTION = "cosine";

  private VectorDistance() {}

  /** Whether a smaller result is the better one. */
  public static boolean nearestIsSmallest(Value options, String policy) {
    return function(options, policy).equals("euclidean");
  }

  static Value of(Value[] arguments, Work work) {
    return of(arguments, DEFAULT_FUNCTION, work);
  }

  /** With the function of the container's policy. */
  public static Value of(Value[] arguments, String policy, Work work) {
    if (!(arguments[0] instanceof Value.Arr(List<Value> left))
        || !(arguments[1] instanceof Value.Arr(List<Value> right))
        || left.size() != right.size()
        || left.isEmpty()) {
      return Value.UNDEFINED;
    }
    work.steps(left.size() >> 3);
    double dot = 0;
    double leftSquare = 0;
    double rightSquare = 0;
    double distance = 0;
    for (int i = 0; i < left.size(); i++) {
      if (!(left.get(i) instanceof Value.Num l) || !(right.get(i) instanceof Value.Num r)) {
        return Value.UNDEFINED;
      }
      double a = l.asDouble();
      double b = r.asDouble();
      dot += a * b;
      leftSquare += a * a;
      rightSquare += b * b;
      distance += (a - b) * (a - b);
    }
    Value options = arguments.length > 3 ? arguments[3] : Value.UNDEFINED;
    return switch (function(options, policy)) {
      case "euclidean" -> Operators.number(Math.sqrt(distance));
      case "dotproduct" -> Operators.number(dot);
      default -> Operators.number(dot / (Math.sqrt(leftSquare) * Math.sqrt(rightSquare)));
    };
  }

  private static String function(Value options, String policy) {
    return options instanceof Value.Obj(Map<String, Value> members)
            && members.get("distanceFunction") instanceof Value.Text(String name)
        ? Keyword.lower(name)
        : policy;
  }
}
