package io.orrery.query.syntax;

import io.orrery.query.syntax.Query.Collection;
import io.orrery.query.syntax.Query.Direction;
import io.orrery.query.syntax.Query.Item;
import io.orrery.query.syntax.Query.OrderBy;
import io.orrery.query.syntax.Query.Selection;
import io.orrery.query.syntax.Query.Source;
import io.orrery.query.syntax.Query.Step;
import io.orrery.query.syntax.SqlParser.CollectionContext;
import io.orrery.query.syntax.SqlParser.ConditionContext;
import io.orrery.query.syntax.SqlParser.CountContext;
import io.orrery.query.syntax.SqlParser.FromClauseContext;
import io.orrery.query.syntax.SqlParser.OrderByClauseContext;
import io.orrery.query.syntax.SqlParser.PathStepContext;
import io.orrery.query.syntax.SqlParser.QueryContext;
import io.orrery.query.syntax.SqlParser.SelectItemContext;
import io.orrery.query.syntax.SqlParser.SelectionContext;
import io.orrery.query.syntax.SqlParser.SourceContext;
import io.orrery.query.syntax.SqlParser.WhereClauseContext;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Builds the clauses of a query from the parser's tree. */
final class TreeBuilder {
  private final Offsets offsets;
  private final ExpressionBuilder expressions;

  TreeBuilder(Offsets offsets) {
    this.offsets = offsets;
    this.expressions = new ExpressionBuilder(this, offsets);
  }

  Query condition(ConditionContext context) {
    WhereClauseContext where = context.whereClause();
    Selection one =
        new Selection.Only(
            new Expression.Literal(Value.TRUE, offsets.span(where.start, where.start)));
    return new Query(
        new Query.Select(false, null, one),
        from(context.fromClause()),
        expressions.expression(where.expression()),
        List.of(),
        null,
        null);
  }

  Query query(QueryContext context) {
    var top = context.top();
    var where = context.whereClause();
    var groupBy = context.groupByClause();
    var window = context.offsetLimitClause();
    return new Query(
        new Query.Select(
            context.DISTINCT() != null,
            top == null ? null : new Query.Top(count(top.count()), span(top)),
            selection(context.selection())),
        from(context.fromClause()),
        where == null ? null : expressions.expression(where.expression()),
        groupBy == null ? List.of() : expressions.all(groupBy.expression()),
        orderBy(context.orderByClause()),
        window == null
            ? null
            : new Query.OffsetLimit(count(window.count(0)), count(window.count(1)), span(window)));
  }

  Span span(ParserRuleContext context) {
    return offsets.span(context.start, context.stop);
  }

  private Expression count(CountContext context) {
    return context.NUMBER() != null
        ? new Expression.Literal(Literals.number(context.getText()), span(context))
        : new Expression.Parameter(context.getText(), span(context));
  }

  private Selection selection(SelectionContext context) {
    if (context.STAR() != null) {
      return new Selection.Star(span(context));
    }
    if (context.VALUE() != null) {
      return new Selection.Only(expressions.expression(context.expression()));
    }
    List<Item> items = new ArrayList<>();
    for (SelectItemContext item : context.selectItem()) {
      var alias = item.identifier();
      items.add(
          new Item(
              expressions.expression(item.expression()), alias == null ? null : alias.getText()));
    }
    return new Selection.Items(items);
  }

  private Query.@Nullable From from(@Nullable FromClauseContext context) {
    if (context == null) {
      return null;
    }
    List<Source> sources = new ArrayList<>();
    context.source().forEach(source -> sources.add(source(source)));
    return new Query.From(sources, sources.getFirst().at().to(sources.getLast().at()));
  }

  private Source source(SourceContext context) {
    Collection collection = collection(context.collection());
    var alias = context.identifier();
    if (context.IN() != null) {
      return new Source.Each(collection, alias.getText(), span(context));
    }
    return new Source.Whole(collection, alias == null ? null : alias.getText(), span(context));
  }

  private Collection collection(CollectionContext context) {
    if (context.query() != null) {
      return new Collection.Nested(query(context.query()), span(context));
    }
    List<Step> steps = new ArrayList<>();
    context.pathStep().forEach(step -> steps.add(step(step)));
    return new Collection.Path(
        context.identifier().getText(), steps, span(context.identifier()), span(context));
  }

  private Step step(PathStepContext context) {
    TerminalNode text = context.STRING();
    if (text != null) {
      return new Step.Name(Literals.string(text.getText()), true);
    }
    if (context.NUMBER() != null) {
      Value index = Literals.number(context.NUMBER().getText());
      return new Step.Position(index instanceof Value.Int64(long position) ? position : -1);
    }
    return new Step.Name(context.memberName().getText(), false);
  }

  private @Nullable OrderBy orderBy(@Nullable OrderByClauseContext context) {
    if (context == null) {
      return null;
    }
    List<Query.Key> keys = new ArrayList<>();
    for (var item : context.rankItem()) {
      keys.add(
          new Query.Key(expressions.call(item.functionCall()), direction(item.ASC(), item.DESC())));
    }
    for (var item : context.orderItem()) {
      keys.add(
          new Query.Key(
              expressions.expression(item.expression()), direction(item.ASC(), item.DESC())));
    }
    return new OrderBy(context.RANK() != null, keys, span(context));
  }

  private static Direction direction(
      @Nullable TerminalNode ascending, @Nullable TerminalNode descending) {
    if (descending != null) {
      return Direction.DESCENDING;
    }
    return ascending == null ? Direction.UNSAID : Direction.ASCENDING;
  }
}
