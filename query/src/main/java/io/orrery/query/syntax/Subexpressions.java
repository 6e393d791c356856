package io.orrery.query.syntax;

import java.util.ArrayList;
import java.util.List;

/** The direct parts of an expression; nested queries are not among them. */
public final class Subexpressions {
  private Subexpressions() {}

  public static List<Expression> of(Expression expression) {
    return switch (expression) {
      case Expression.Literal _, Expression.Parameter _, Expression.Reference _ -> List.of();
      case Expression.Subquery _ -> List.of();
      case Expression.Property(var of, _, _, _) -> List.of(of);
      case Expression.Indexed(var of, var index, _) -> List.of(of, index);
      case Expression.Unary(_, var operand, _) -> List.of(operand);
      case Expression.Binary(_, var left, var right, _) -> List.of(left, right);
      case Expression.Logical(_, var operands, _) -> operands;
      case Expression.Coalesce(var left, var right, _) -> List.of(left, right);
      case Expression.Conditional(var test, var then, var otherwise, _) ->
          List.of(test, then, otherwise);
      case Expression.In(var needle, var haystack, _, _) -> prepend(needle, haystack);
      case Expression.Between(var value, var low, var high, _, _) -> List.of(value, low, high);
      case Expression.Like(var text, var pattern, var escape, _, _) ->
          escape == null ? List.of(text, pattern) : List.of(text, pattern, escape);
      case Expression.ArrayOf(var items, _) -> items;
      case Expression.ObjectOf(var members, _) ->
          members.stream().map(Expression.Member::value).toList();
      case Expression.Call(_, _, var arguments, _, _) -> arguments;
    };
  }

  private static List<Expression> prepend(Expression first, List<Expression> rest) {
    List<Expression> all = new ArrayList<>(rest.size() + 1);
    all.add(first);
    all.addAll(rest);
    return all;
  }
}
