package io.orrery.query.syntax;

import io.orrery.operation.Keyword;
import io.orrery.query.syntax.Expression.UnaryOperator;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Writes syntax trees as text again, worded and spaced as the service's rewritten queries. */
public final class SqlPrinter {
  /**
   * Far more than the longest text becomes by parentheses and indents. A rewritten query repeats
   * some parts, so that its length can be the square of the original.
   */
  public static final int CHARS_MAX = 8 * SqlText.MAX_BYTES;

  private final StringBuilder out = new StringBuilder();
  private final Style style;
  private String line = "\n";

  private enum Style {
    /** As the service writes it: every operator in parentheses. */
    SERVICE,
    /** The same, with one form for all ways to write a path. */
    UNIFORM,
    /** Without parentheses inside chains of operators that bind equally. */
    FLAT
  }

  private SqlPrinter(Style style) {
    this.style = style;
  }

  public static String print(Query query) {
    return print(query, Style.SERVICE);
  }

  /**
   * Prints a query that clients send back. Parentheses count as levels, so a long chain of
   * operators that was accepted is printed without them where it would nest too deep.
   */
  public static String printToParse(Query query) {
    String text = print(query);
    return NestingLimit.allows(text) ? text : print(query, Style.FLAT);
  }

  private static String print(Query query, Style style) {
    SqlPrinter printer = new SqlPrinter(style);
    printer.query(query);
    return printer.out.toString();
  }

  public static String print(Expression expression) {
    SqlPrinter printer = new SqlPrinter(Style.SERVICE);
    printer.expression(expression);
    return printer.out.toString();
  }

  /** Equal for expressions that differ only in how their paths are written. */
  public static String key(Expression expression) {
    SqlPrinter printer = new SqlPrinter(Style.UNIFORM);
    printer.expression(expression);
    return printer.out.toString();
  }

  private void query(Query query) {
    out.append("SELECT ");
    select(query.select());
    Query.From from = query.from();
    if (from != null) {
      out.append(line).append("FROM ");
      join(from.sources(), line + "JOIN ", this::source);
    }
    Expression where = query.where();
    if (where != null) {
      out.append(line).append("WHERE ");
      expression(where);
    }
    if (!query.groupBy().isEmpty()) {
      out.append(line).append("GROUP BY ");
      join(query.groupBy(), ", ", this::expression);
    }
    Query.OrderBy orderBy = query.orderBy();
    if (orderBy != null) {
      out.append(line).append(orderBy.rank() ? "ORDER BY RANK " : "ORDER BY ");
      join(orderBy.keys(), ", ", this::key);
    }
    Query.OffsetLimit window = query.offsetLimit();
    if (window != null) {
      out.append(line).append("OFFSET ");
      expression(window.offset());
      out.append(" LIMIT ");
      expression(window.limit());
    }
  }

  private void select(Query.Select select) {
    out.append(select.distinct() ? "DISTINCT " : "");
    Query.Top top = select.top();
    if (top != null) {
      out.append("TOP ");
      expression(top.count());
      out.append(' ');
    }
    switch (select.selection()) {
      case Query.Selection.Star _ -> out.append('*');
      case Query.Selection.Only(var value) -> {
        out.append("VALUE ");
        expression(value);
      }
      case Query.Selection.Items(var items) ->
          join(
              items,
              ", ",
              item -> {
                expression(item.value());
                if (item.alias() != null) {
                  out.append(" AS ").append(item.alias());
                }
              });
    }
  }

  private void source(Query.Source source) {
    switch (source) {
      case Query.Source.Whole(var collection, var alias, _) -> {
        collection(collection);
        if (alias != null) {
          out.append(" AS ").append(alias);
        }
      }
      case Query.Source.Each(var collection, var alias, _) -> {
        out.append(alias).append(" IN ");
        collection(collection);
      }
    }
  }

  private void collection(Query.Collection collection) {
    switch (collection) {
      case Query.Collection.Nested(var query, _) -> nested(query);
      case Query.Collection.Path(var root, var steps, _, _) -> {
        out.append(root);
        for (Query.Step step : steps) {
          switch (step) {
            case Query.Step.Name(var name, var bracketed) -> name(name, bracketed);
            case Query.Step.Position(long index) -> out.append('[').append(index).append(']');
          }
        }
      }
    }
  }

  private void nested(Query query) {
    String outer = line;
    line = outer + "    ";
    out.append('(').append(line);
    query(query);
    line = outer;
    out.append(line).append(')');
  }

  private void key(Query.Key key) {
    expression(key.value());
    switch (key.direction()) {
      case UNSAID -> {}
      case ASCENDING -> out.append(" ASC");
      case DESCENDING -> out.append(" DESC");
    }
  }

  /** The refusal of a query whose rewritten form is too long for clients to send. */
  public static QueryRefused tooLong() {
    return QueryRefused.plain(
        "The query plan has more than "
            + CHARS_MAX
            + " characters of rewritten queries. Use fewer or shorter scores, phrases and sort"
            + " keys.");
  }

  private void expression(Expression expression) {
    if (out.length() > CHARS_MAX) {
      throw tooLong();
    }
    switch (expression) {
      case Expression.Literal(var value, _) -> literal(value);
      case Expression.Parameter(var name, _) -> out.append(name);
      case Expression.Reference(var name, _) -> out.append(name);
      case Expression.Property(var of, var name, var bracketed, _) -> {
        apart(of);
        name(name, bracketed);
      }
      case Expression.Indexed(var of, var index, _) -> {
        apart(of);
        out.append('[');
        expression(index);
        out.append(']');
      }
      case Expression.Unary(var operator, var operand, _) -> unary(operator, operand);
      case Expression.Binary(var operator, var left, var right, _) ->
          infix(() -> operands(left, operator, right));
      case Expression.Logical(var all, var operands, _) -> logical(all ? "AND" : "OR", operands);
      case Expression.Coalesce(var left, var right, _) -> infix(() -> coalesced(left, right));
      case Expression.Conditional conditional -> {
        out.append('(');
        conditional(conditional);
        out.append(')');
      }
      case Expression.In(var needle, var haystack, var negated, _) -> {
        out.append('(');
        expression(needle);
        out.append(negated ? " NOT IN (" : " IN (");
        join(haystack, ", ", this::expression);
        out.append("))");
      }
      case Expression.Between(var value, var low, var high, var negated, _) -> {
        out.append('(');
        expression(value);
        out.append(negated ? " NOT BETWEEN " : " BETWEEN ");
        infixTail(low, " AND ", high);
      }
      case Expression.Like like -> like(like);
      case Expression.ArrayOf(var items, _) -> {
        out.append('[');
        join(items, ", ", this::expression);
        out.append(']');
      }
      case Expression.ObjectOf(var members, _) -> object(members);
      case Expression.Call(var name, var udf, var arguments, _, _) -> {
        out.append(udf ? "udf." : "")
            .append(style == Style.UNIFORM && !udf ? Keyword.upper(name) : name)
            .append('(');
        join(arguments, ", ", this::expression);
        out.append(')');
      }
      case Expression.Subquery(var kind, var query, _) -> {
        out.append(kind == Expression.SubqueryKind.SCALAR ? "" : kind.name());
        nested(query);
      }
    }
  }

  private void unary(UnaryOperator operator, Expression operand) {
    out.append('(').append(operator.text());
    UnaryOperator last = operator;
    Expression rest = operand;
    while (style == Style.FLAT && rest instanceof Expression.Unary(var next, var inner, _)) {
      out.append(' ').append(next.text()); // two signs without a blank may begin a comment
      last = next;
      rest = inner;
    }
    if (last == UnaryOperator.MINUS) {
      apart(rest);
    } else {
      expression(rest);
    }
    out.append(')');
  }

  /**
   * Keeps a number from what stands beside it: digits go on with a dot, its sign would belong to
   * all that follows, two signs begin a comment, and one sign before it would become its own.
   */
  private void apart(Expression part) {
    boolean number = part instanceof Expression.Literal(Value.Num _, _);
    out.append(number ? "(" : "");
    expression(part);
    out.append(number ? ")" : "");
  }

  private void infix(Runnable operands) {
    out.append('(');
    operands.run();
    out.append(')');
  }

  private void operands(Expression left, BinaryOperator operator, Expression right) {
    if (style == Style.FLAT
        && left instanceof Expression.Binary(var inner, var first, var second, _)
        && inner.level() == operator.level()) {
      operands(first, inner, second);
    } else {
      expression(left);
    }
    out.append(' ').append(operator.text()).append(' ');
    expression(right);
  }

  private void coalesced(Expression left, Expression right) {
    if (style == Style.FLAT && left instanceof Expression.Coalesce(var first, var second, _)) {
      coalesced(first, second);
    } else {
      expression(left);
    }
    out.append(" ?? ");
    expression(right);
  }

  private void conditional(Expression.Conditional conditional) {
    expression(conditional.test());
    out.append(" ? ");
    expression(conditional.then());
    out.append(" : ");
    if (style == Style.FLAT && conditional.otherwise() instanceof Expression.Conditional next) {
      conditional(next);
    } else {
      expression(conditional.otherwise());
    }
  }

  private void infixTail(Expression left, String operator, Expression right) {
    expression(left);
    out.append(operator);
    expression(right);
    out.append(')');
  }

  /** The service's trees are binary and lean left. */
  private void logical(String operator, List<Expression> operands) {
    if (style == Style.FLAT) {
      out.append('(');
      join(operands, " " + operator + " ", this::expression);
      out.append(')');
      return;
    }
    out.repeat('(', operands.size() - 1);
    expression(operands.getFirst());
    for (Expression operand : operands.subList(1, operands.size())) {
      out.append(' ').append(operator).append(' ');
      expression(operand);
      out.append(')');
    }
  }

  private void like(Expression.Like like) {
    out.append('(');
    expression(like.text());
    out.append(like.negated() ? " NOT LIKE " : " LIKE ");
    expression(like.pattern());
    Expression escape = like.escape();
    if (escape != null) {
      out.append(" ESCAPE ");
      expression(escape);
    }
    out.append(')');
  }

  private void object(List<Expression.Member> members) {
    out.append('{');
    join(
        members,
        ", ",
        member -> {
          literal(Value.of(member.name()));
          out.append(": ");
          expression(member.value());
        });
    out.append('}');
  }

  private void name(String name, boolean bracketed) {
    if (bracketed || style == Style.UNIFORM) {
      out.append('[');
      literal(Value.of(name));
      out.append(']');
    } else {
      out.append('.').append(name);
    }
  }

  private void literal(Value value) {
    if (value instanceof Value.Undefined) {
      out.append("undefined");
    } else if (value instanceof Value.Int64(long number)) {
      out.append(number);
    } else if (value instanceof Value.Float64(double number) && Double.isInfinite(number)) {
      // Its name would be read as that of an input, where one has it.
      out.append(number > 0 ? "1E999" : "-1E999");
    } else {
      out.append(new String(Json.write(value), StandardCharsets.UTF_8));
    }
  }

  private <T> void join(List<T> parts, String separator, Consumer<T> print) {
    boolean first = true;
    for (T part : parts) {
      if (!first) {
        out.append(separator);
      }
      first = false;
      print.accept(part);
    }
  }
}
