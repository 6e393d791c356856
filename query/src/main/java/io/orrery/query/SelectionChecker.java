package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.query.syntax.Subexpressions;
import java.util.List;

/** Checks what is selected: the star, and what may stand beside aggregates and group keys. */
final class SelectionChecker {
  private final Checker checker;
  private final ExpressionChecker expressions;
  private final Names names;

  SelectionChecker(Checker checker, ExpressionChecker expressions, Names names) {
    this.checker = checker;
    this.expressions = expressions;
    this.names = names;
  }

  void check(Query query) {
    List<Expression> selected =
        switch (query.select().selection()) {
          case Query.Selection.Star star -> {
            star(query, star);
            yield List.of();
          }
          case Query.Selection.Only(var value) -> List.of(value);
          case Query.Selection.Items(var items) -> items.stream().map(Query.Item::value).toList();
        };
    selected.forEach(expressions::check);
    if (!query.groupBy().isEmpty() || selected.stream().anyMatch(SelectionChecker::aggregates)) {
      GroupedBy keys = new GroupedBy();
      query.groupBy().forEach(key -> keys.put(key, 0));
      selected.forEach(expression -> grouped(expression, keys));
    }
  }

  private void star(Query query, Query.Selection.Star star) {
    Query.From from = query.from();
    if (!query.groupBy().isEmpty()) {
      checker.error("SC2041", "'SELECT *' is not allowed with GROUP BY.", star.at());
    } else if (from == null) {
      checker.error("SC2040", "'SELECT *' is not valid if FROM clause is omitted.", star.at());
    } else if (from.sources().size() > 1) {
      checker.error("SC2040", "'SELECT *' is only valid with a single input set.", star.at());
    }
  }

  static boolean aggregates(Expression expression) {
    return ExpressionChecker.isAggregate(expression)
        || Subexpressions.of(expression).stream().anyMatch(SelectionChecker::aggregates);
  }

  private void grouped(Expression expression, GroupedBy keys) {
    if (keys.has(expression) || ExpressionChecker.isAggregate(expression)) {
      return;
    }
    if (isOwnPath(expression, keys)) {
      checker.error(
          "SC2102",
          "Property reference '"
              + SqlPrinter.print(expression)
              + "' is invalid in the select list because it is not contained in either an"
              + " aggregate function or the GROUP BY clause.",
          expression.at());
      return;
    }
    Subexpressions.of(expression).forEach(part -> grouped(part, keys));
  }

  /**
   * A path into an input of this very query that leads through no group key; inputs of outer
   * queries do not vary here.
   */
  private boolean isOwnPath(Expression expression, GroupedBy keys) {
    if (keys.has(expression)) {
      return false;
    }
    return switch (expression) {
      case Expression.Reference(var name, _) -> names.isOwn(name);
      case Expression.Property(var of, _, _, _) -> isOwnPath(of, keys);
      case Expression.Indexed(var of, _, _) -> isOwnPath(of, keys);
      default -> false;
    };
  }
}
