package io.orrery.query;

import io.orrery.operation.Keyword;
import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.Function;
import io.orrery.query.function.Functions;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Span;
import io.orrery.query.syntax.Subexpressions;
import io.orrery.value.Value;
import java.util.List;
import java.util.Set;

/** Checks names and calls of the expressions of one query block. */
final class ExpressionChecker {
  /** Numbers that are no literals of the grammar; the service reads them all the same. */
  static final Set<String> NUMBER_NAMES = Set.of("NaN", "Infinity");

  private static final String RRF_WEIGHTS =
      "The last parameter of the RRF function is an optional array of weights. When present, it"
          + " must be a literal array of numbers, one for each of the component scores used for the"
          + " RRF function. The length of this array must be the same as the number of the"
          + " component scores.";
  private static final List<Ranged> VECTOR_OPTIONS =
      List.of(new Ranged("searchListSizeMultiplier", 1, 100));

  private record Ranged(String name, int least, int most) {}

  private final Checker checker;
  private final Names names;

  ExpressionChecker(Checker checker, Names names) {
    this.checker = checker;
    this.names = names;
  }

  /** For clauses that see single rows. */
  void checkWithoutAggregates(Expression expression) {
    check(expression);
    refuseAggregates(expression);
  }

  private void refuseAggregates(Expression expression) {
    if (isAggregate(expression)) {
      checker.error(
          "SC2100", "An aggregate may only appear in the SELECT clause.", expression.at());
      return;
    }
    Subexpressions.of(expression).forEach(this::refuseAggregates);
  }

  static boolean isAggregate(Expression expression) {
    return AggregateKind.of(expression) != null;
  }

  void check(Expression expression) {
    switch (expression) {
      case Expression.Reference(var name, var at) -> {
        if (!names.knows(name) && !NUMBER_NAMES.contains(name)) {
          checker.error("SC2001", "Identifier '" + name + "' could not be resolved.", at);
        }
      }
      case Expression.Indexed(_, var index, var at)
          when !(index instanceof Expression.Literal) && !(index instanceof Expression.Parameter) ->
          checker.error(
              "SC2990",
              "The specified query includes 'member indexer' which is currently not supported.",
              at);
      case Expression.Call call -> call(call);
      case Expression.Subquery(_, var query, _) -> checker.query(query, names, false);
      default -> Subexpressions.of(expression).forEach(this::check);
    }
  }

  private void call(Expression.Call call) {
    String upper = Keyword.upper(call.name());
    if (!call.udf() && (upper.equals("FULLTEXTSCORE") || upper.equals("RRF"))) {
      checker.error(
          "SC2240",
          "The "
              + (upper.equals("RRF") ? "RRF" : "FullTextScore")
              + " function is only allowed in the ORDER BY RANK clause.",
          call.at());
      return;
    }
    if (call.udf()) {
      checker.countUserFunction(call);
    } else {
      builtIn(call);
    }
    call.arguments().forEach(this::check);
    if (isAggregate(call) && call.arguments().stream().anyMatch(ExpressionChecker::aggregates)) {
      checker.error(
          "SC2101",
          "Cannot perform an aggregate function on an expression containing an aggregate or a"
              + " subquery.",
          call.at());
    }
    if (upper.equals("VECTORDISTANCE")) {
      vectorOptions(call);
    }
  }

  private static boolean aggregates(Expression expression) {
    return isAggregate(expression)
        || expression instanceof Expression.Subquery
        || Subexpressions.of(expression).stream().anyMatch(ExpressionChecker::aggregates);
  }

  private void builtIn(Expression.Call call) {
    Function function = Functions.named(call.name());
    int count = call.arguments().size();
    if (function == null && !isAggregate(call)) {
      checker.error(
          "SC2005",
          "'" + call.name() + "' is not a recognized built-in function name.",
          call.nameAt());
    } else if (function == null ? count != 1 : !function.takes(count)) {
      arity(call, function == null ? "1" : function.arity());
    }
  }

  private void arity(Expression.Call call, String requires) {
    checker.error(
        "SC2050",
        "The "
            + (Keyword.upper(call.name()) + " function requires ")
            + (requires + " argument(s)."),
        call.at());
  }

  private void vectorOptions(Expression.Call call) {
    if (call.arguments().size() < 4
        || !(call.arguments().get(3) instanceof Expression.ObjectOf(var members, var at))) {
      return;
    }
    for (Expression.Member member : members) {
      for (Ranged option : VECTOR_OPTIONS) {
        if (member.name().equals(option.name)
            && member.value() instanceof Expression.Literal(Value.Num number, _)
            && !(number.asDouble() >= option.least && number.asDouble() <= option.most)) {
          checker.error(
              "SC2213",
              "The '%s' value %s specified in the VectorDistance function is outside the supported"
                      .formatted(option.name, number(number))
                  + " range. The value must be between %d and %d."
                      .formatted(option.least, option.most),
              at);
        }
      }
    }
  }

  private static String number(Value.Num number) {
    return number instanceof Value.Int64(long whole)
        ? Long.toString(whole)
        : Double.toString(number.asDouble());
  }

  /** A scoring function of ORDER BY RANK, or a fusion of several. */
  void checkRank(Expression.Call call, Span clause) {
    String upper = Keyword.upper(call.name());
    if (!upper.equals("RRF")) {
      score(call);
      return;
    }
    List<Expression> components = call.arguments();
    if (!components.isEmpty()
        && components.getLast() instanceof Expression.ArrayOf(var weights, _)) {
      components = components.subList(0, components.size() - 1);
      boolean literal =
          weights.size() == components.size()
              && weights.stream()
                  .allMatch(w -> w instanceof Expression.Literal(Value.Num _, Span _));
      if (!literal) {
        checker.error("SC2229", RRF_WEIGHTS, clause);
        return;
      }
    }
    if (components.size() < 2) {
      arity(call, "at least 2");
    }
    for (Expression component : components) {
      if (component instanceof Expression.Call inner) {
        score(inner);
      } else {
        checker.error(
            "SC2240",
            "The RRF function takes only calls of FullTextScore and VectorDistance.",
            component.at());
      }
    }
  }

  private void score(Expression.Call call) {
    if (call.name().equalsIgnoreCase("FULLTEXTSCORE")) {
      if (call.arguments().size() < 2) {
        arity(call, "at least 2");
      }
      call.arguments().forEach(this::check);
    } else {
      check(call);
    }
  }
}
