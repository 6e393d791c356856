package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryError;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.Span;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is well-formed but has no meaning; all errors of a query are told at once. */
final class Checker {
  private static final long MAX_COUNT = 0xFFFF_FFFFL;
  private static final int USER_FUNCTIONS_MAX = 10;

  private final List<QueryError> errors = new ArrayList<>();
  private boolean unsortable;
  private int userFunctions;

  private Checker() {}

  static void check(Query query) {
    Checker checker = new Checker();
    checker.query(query, new Names(null), true);
    if (checker.errors.isEmpty() && checker.unsortable) {
      checker.error(
          "2206",
          "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document"
              + " path.",
          null);
    }
    if (!checker.errors.isEmpty()) {
      throw new QueryRefused(checker.errors);
    }
  }

  void error(String code, String message, @Nullable Span at) {
    errors.add(QueryError.of(code, message, at));
  }

  void countUserFunction(Expression.Call call) {
    if (++userFunctions == USER_FUNCTIONS_MAX + 1) {
      error(
          "SC3005",
          "The query calls user defined functions more than %d times, which is the most allowed."
              .formatted(USER_FUNCTIONS_MAX),
          call.at());
    }
  }

  /**
   * In the order in which the service reports: FROM, filter, grouping, order, window, selection.
   */
  void query(Query query, Names outer, boolean top) {
    Names names = from(query, outer);
    ExpressionChecker expressions = new ExpressionChecker(this, names);
    Expression where = query.where();
    if (where != null) {
      expressions.checkWithoutAggregates(where);
    }
    query.groupBy().forEach(expressions::checkWithoutAggregates);
    orderBy(query, names, expressions, top);
    window(query, top);
    Query.Top limit = query.select().top();
    if (limit != null && !top) {
      error("SC2203", "'TOP' is not supported in subqueries.", limit.at());
    } else if (limit != null && !isCount(limit.count())) {
      error(
          "SC2060",
          "The count value provided for a TOP clause must be an integer.",
          limit.count().at());
    }
    new SelectionChecker(this, expressions, names).check(query);
  }

  private Names from(Query query, Names outer) {
    Names names = new Names(outer);
    Query.From from = query.from();
    if (from == null) {
      return names;
    }
    Query.OrderBy orderBy = query.orderBy();
    if (orderBy != null && orderBy.rank()) {
      notWithRank(from);
    }
    for (Query.Source source : from.sources()) {
      Names before = names.copy();
      switch (source.collection()) {
        case Query.Collection.Nested(var nested, _) -> query(nested, before, false);
        case Query.Collection.Path(var root, _, var rootAt, _) -> {
          if (!before.isEmpty() && !before.knows(root) && !root.equalsIgnoreCase("root")) {
            error("SC2001", "Identifier '" + root + "' could not be resolved.", rootAt);
          }
        }
      }
      if (!names.declare(source, before)) {
        error(
            "SC2011",
            "The input alias '"
                + Names.alias(source)
                + "' is specified more than once in the FROM clause.",
            source.at());
      }
    }
    return names;
  }

  private void notWithRank(Query.From from) {
    if (from.sources().size() > 1) {
      error("SC2224", "The JOIN operator is not allowed with the ORDER BY RANK clause.", from.at());
    }
    for (Query.Source source : from.sources()) {
      if (source instanceof Query.Source.Each) {
        error(
            "SC2223",
            "The FROM clause with the IN operator is not allowed with the ORDER BY RANK clause.",
            source.at());
      }
      if (source.collection() instanceof Query.Collection.Nested nested) {
        error(
            "SC2225",
            "Subqueries in the FROM clause are not allowed with the ORDER BY RANK clause.",
            nested.at());
      }
    }
  }

  private void orderBy(Query query, Names names, ExpressionChecker expressions, boolean top) {
    Query.OrderBy orderBy = query.orderBy();
    if (orderBy == null) {
      return;
    }
    if (!top) {
      error(
          orderBy.rank() ? "SC2228" : "SC2202",
          orderBy.rank()
              ? "The ORDER BY RANK clause is not supported in subqueries."
              : "'ORDER BY' is not supported in subqueries.",
          orderBy.at());
      return;
    }
    for (Query.Key key : orderBy.keys()) {
      if (orderBy.rank()) {
        expressions.checkRank((Expression.Call) key.value(), orderBy.at());
      } else {
        expressions.checkWithoutAggregates(key.value());
        unsortable |= !names.isDocumentPath(key.value()) && !isScore(key.value());
      }
    }
  }

  /** What sorts without being a path: similarity, and the score that plans write. */
  private static boolean isScore(Expression expression) {
    return expression instanceof Expression.Call call
        && !call.udf()
        && (call.name().equalsIgnoreCase("VECTORDISTANCE")
            || call.name().equalsIgnoreCase("_FULLTEXTSCORE"));
  }

  private void window(Query query, boolean top) {
    Query.OffsetLimit window = query.offsetLimit();
    if (window == null) {
      return;
    }
    if (!top) {
      error("SC2204", "'OFFSET LIMIT' clause is not supported in subqueries.", window.at());
      return;
    }
    if (!isCount(window.offset())) {
      error(
          "SC2062",
          "The OFFSET count value exceeds the maximum allowed value.",
          window.offset().at());
    }
    if (!isCount(window.limit())) {
      error(
          "SC2061",
          "The LIMIT count value exceeds the maximum allowed value.",
          window.limit().at());
    }
  }

  private static boolean isCount(Expression count) {
    return !(count instanceof Expression.Literal(Value value, _))
        || (value instanceof Value.Int64(long number) && number >= 0 && number <= MAX_COUNT);
  }
}
