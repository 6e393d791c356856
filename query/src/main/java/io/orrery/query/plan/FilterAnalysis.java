package io.orrery.query.plan;

import io.orrery.operation.Keyword;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.function.LikePattern;
import io.orrery.query.function.Operators;
import io.orrery.query.syntax.BinaryOperator;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Expression.UnaryOperator;
import io.orrery.query.syntax.Subexpressions;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The values that a filter allows at the key paths; what is not understood allows everything. */
final class FilterAnalysis {
  private final List<List<String>> paths;
  private final Set<String> roots;
  private final Parameters parameters;

  FilterAnalysis(List<List<String>> paths, Set<String> roots, Parameters parameters) {
    this.paths = paths;
    this.roots = roots;
    this.parameters = parameters;
  }

  Boxes boxes(Expression filter) {
    parameters.budget().look();
    if (isConstant(filter)) {
      return value(filter).equals(Value.TRUE) ? Boxes.any() : Boxes.none();
    }
    int path = path(filter);
    if (path >= 0) {
      return Boxes.of(path, List.of(Value.TRUE));
    }
    return switch (filter) {
      case Expression.Logical(var all, var operands, _) -> logical(all, operands);
      case Expression.Unary(var operator, var operand, _)
          when operator == UnaryOperator.NOT && path(operand) >= 0 ->
          Boxes.of(path(operand), List.of(Value.FALSE));
      case Expression.Binary(var operator, var left, var right, _)
          when operator == BinaryOperator.EQUAL ->
          equality(left, right);
      case Expression.In(var needle, var haystack, var negated, _)
          when !negated && path(needle) >= 0 && haystack.stream().allMatch(this::isConstant) ->
          Boxes.of(path(needle), defined(haystack));
      case Expression.Like like when !like.negated() && path(like.text()) >= 0 -> like(like);
      case Expression.Call call when !call.udf() -> call(call);
      default -> Boxes.any();
    };
  }

  private Boxes logical(boolean all, List<Expression> operands) {
    Boxes result = all ? Boxes.any() : Boxes.none();
    for (Expression operand : operands) {
      result = all ? result.and(boxes(operand)) : result.or(boxes(operand));
    }
    return result;
  }

  private Boxes equality(Expression left, Expression right) {
    if (isConstant(right)) {
      return equal(left, value(right));
    }
    return isConstant(left) ? equal(right, value(left)) : Boxes.any();
  }

  private Boxes equal(Expression side, Value value) {
    if (value instanceof Value.Undefined) {
      return Boxes.none();
    }
    if (path(side) >= 0) {
      return Boxes.of(path(side), List.of(value));
    }
    if (side instanceof Expression.Call(var name, var udf, var arguments, _, _)
        && !udf
        && name.equalsIgnoreCase("ABS")
        && arguments.size() == 1
        && path(arguments.getFirst()) >= 0) {
      return Boxes.of(path(arguments.getFirst()), List.of(value, Operators.minus(value)));
    }
    return Boxes.any();
  }

  private Boxes like(Expression.Like like) {
    Expression escape = like.escape();
    if (!isConstant(like.pattern())
        || !(value(like.pattern()) instanceof Value.Text(String pattern))
        || pattern.length() > LikePattern.PLANNED_CHARS_MAX) {
      return Boxes.any();
    }
    int escaping = -1;
    if (escape != null) {
      if (!(value(escape) instanceof Value.Text(String character)) || character.isEmpty()) {
        return Boxes.any();
      }
      escaping = character.codePointAt(0);
    }
    String literal = LikePattern.compile(pattern, escaping).literal();
    return literal == null ? Boxes.any() : Boxes.of(path(like.text()), List.of(Value.of(literal)));
  }

  private Boxes call(Expression.Call call) {
    List<Expression> arguments = call.arguments();
    int path = arguments.isEmpty() ? -1 : path(arguments.getLast());
    if (path < 0) {
      return Boxes.any();
    }
    return switch (Keyword.upper(call.name())) {
      case "IS_BOOL" -> Boxes.of(path, List.of(Value.FALSE, Value.TRUE));
      case "IS_NULL" -> Boxes.of(path, List.of(Value.NULL));
      case "ARRAY_CONTAINS" ->
          arguments.size() == 2
                  && isConstant(arguments.getFirst())
                  && value(arguments.getFirst()) instanceof Value.Arr(var items)
              ? Boxes.of(path, items)
              : Boxes.any();
      default -> Boxes.any();
    };
  }

  private List<Value> defined(List<Expression> expressions) {
    return expressions.stream()
        .map(this::value)
        .filter(value -> !(value instanceof Value.Undefined))
        .toList();
  }

  private Value value(Expression constant) {
    return Queries.constant(constant, parameters);
  }

  /** No input, no user's function, no chance, no clock. */
  private boolean isConstant(Expression expression) {
    return switch (expression) {
      case Expression.Reference _, Expression.Subquery _ -> false;
      case Expression.Call call when call.udf() || varies(call.name()) -> false;
      default -> Subexpressions.of(expression).stream().allMatch(this::isConstant);
    };
  }

  private static boolean varies(String function) {
    String upper = Keyword.upper(function);
    return upper.equals("RAND")
        || upper.equals("NOW")
        || upper.equals("AGO")
        || upper.startsWith("GETCURRENT");
  }

  /** The number of the key path that the expression is, or -1. */
  private int path(Expression expression) {
    List<String> names = new ArrayList<>();
    Expression of = expression;
    while (of instanceof Expression.Property(var inner, var name, _, _)) {
      names.addFirst(name);
      of = inner;
    }
    return of instanceof Expression.Reference(var alias, _) && roots.contains(alias)
        ? paths.indexOf(names)
        : -1;
  }
}
