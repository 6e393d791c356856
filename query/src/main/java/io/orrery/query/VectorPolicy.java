package io.orrery.query;

import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which distance function a container's vectors have where a query names none.
 *
 * @param functions the name of the function by the path of the vector: {@code /a/b}
 */
public record VectorPolicy(Map<String, String> functions) {
  public static final VectorPolicy NONE = new VectorPolicy(Map.of());

  public VectorPolicy {
    functions = Map.copyOf(functions);
  }

  /** The function for a call that names none; the vector of the item is one of its arguments. */
  public String function(Expression.Call call, Predicate<String> isItem) {
    for (Expression argument : call.arguments().subList(0, Math.min(2, call.arguments().size()))) {
      String path = functions.isEmpty() ? null : path(argument, isItem);
      String function = path == null ? null : functions.get(path);
      if (function != null) {
        return function;
      }
    }
    return VectorDistance.DEFAULT_FUNCTION;
  }

  private static @Nullable String path(Expression expression, Predicate<String> isItem) {
    return switch (expression) {
      case Expression.Reference(var name, _) -> isItem.test(name) ? "" : null;
      case Expression.Property(var of, var name, _, _) -> {
        String before = path(of, isItem);
        yield before == null ? null : before + "/" + name;
      }
      default -> null;
    };
  }
}
