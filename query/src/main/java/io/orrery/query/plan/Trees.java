package io.orrery.query.plan;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Span;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Makes the pieces of rewritten queries. */
final class Trees {
  static final Span NOWHERE = new Span(0, 0);
  private static final long MAX_COUNT = 0xFFFF_FFFFL;

  private Trees() {}

  /** The client sends the rewritten query back, so its counts must be legal again. */
  static long count(long wanted) {
    return Math.min(wanted, MAX_COUNT);
  }

  /** The alias of the first input, to which the identity of a row belongs. */
  static String rootAlias(Query query) {
    Query.From from = query.from();
    if (from != null
        && from.sources().getFirst() instanceof Query.Source.Whole(var collection, var alias, _)) {
      return alias != null
          ? alias
          : collection instanceof Query.Collection.Path path ? path.root() : "root";
    }
    return "root";
  }

  static Expression items(List<Expression> values) {
    List<Expression> items = new ArrayList<>();
    values.forEach(value -> items.add(object(List.of("item"), List.of(value))));
    return array(items);
  }

  static Expression array(List<Expression> items) {
    return new Expression.ArrayOf(items, NOWHERE);
  }

  static Expression object(List<String> names, List<Expression> values) {
    List<Expression.Member> members = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      members.add(new Expression.Member(names.get(i), values.get(i)));
    }
    return new Expression.ObjectOf(members, NOWHERE);
  }

  static Expression call(String name, List<Expression> arguments) {
    return new Expression.Call(name, false, arguments, NOWHERE, NOWHERE);
  }

  static Expression and(Expression left, Expression right) {
    return new Expression.Logical(true, List.of(left, right), NOWHERE);
  }

  static Expression number(long value) {
    return new Expression.Literal(Value.of(value), NOWHERE);
  }
}
