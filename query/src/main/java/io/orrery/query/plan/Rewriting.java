package io.orrery.query.plan;

import io.orrery.query.CompiledQuery;
import io.orrery.query.ItemNames;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.VectorPolicy;
import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.plan.QueryInfo.DistinctType;
import io.orrery.query.plan.QueryInfo.SortOrder;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.query.syntax.Subexpressions;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the query to run on each partition such that a client can merge the answers. */
final class Rewriting {
  private final Query query;
  private final Parameters parameters;
  private final List<Expression> selected;
  private final List<String> names;

  private final VectorPolicy vectors;

  private Rewriting(CompiledQuery compiled, Parameters parameters) {
    this.query = compiled.query();
    this.vectors = compiled.vectors();
    this.parameters = parameters;
    this.selected =
        switch (query.select().selection()) {
          case Query.Selection.Star _ -> List.of();
          case Query.Selection.Only(var value) -> List.of(value);
          case Query.Selection.Items(var items) -> items.stream().map(Query.Item::value).toList();
        };
    this.names =
        query.select().selection() instanceof Query.Selection.Items(var items)
            ? List.of(ItemNames.of(items))
            : List.of();
  }

  static QueryInfo of(CompiledQuery compiled, Parameters parameters) {
    Rewriting rewriting = new Rewriting(compiled, parameters);
    if (compiled.query().from() == null) {
      return QueryInfo.unmerged(rewriting.isValue());
    }
    QueryInfo distinctCount = rewriting.distinctCount();
    return distinctCount == null ? rewriting.info() : distinctCount;
  }

  /** Without FROM there is nothing to merge, not even a TOP. */
  private QueryInfo info() {
    boolean aggregated = selected.stream().anyMatch(Rewriting::aggregates);
    boolean grouped = aggregated || !query.groupBy().isEmpty();
    if (grouped) {
      refuseCompositions();
    }
    Query.OrderBy orderBy = grouped ? null : query.orderBy();
    List<Query.Key> keys = orderBy == null ? List.of() : orderBy.keys();
    Query.Top top = query.select().top();
    Query.OffsetLimit window = query.offsetLimit();
    return new QueryInfo(
        distinctType(keys),
        top == null ? null : Long.valueOf(count(top.count())),
        window == null ? null : Long.valueOf(count(window.offset())),
        window == null ? null : Long.valueOf(count(window.limit())),
        keys.stream().map(this::direction).toList(),
        keys.stream().map(key -> SqlPrinter.print(key.value())).toList(),
        query.groupBy().stream().map(SqlPrinter::print).toList(),
        grouped ? aliases() : Map.of(),
        grouped && isValue() && aggregated
            ? selected.stream().map(Rewriting::kind).toList()
            : List.of(),
        rewritten(grouped, orderBy),
        isValue(),
        null,
        keys.stream().anyMatch(key -> isVectorDistance(key.value())));
  }

  private String rewritten(boolean grouped, Query.@Nullable OrderBy orderBy) {
    Query.OffsetLimit window = query.offsetLimit();
    if (grouped) {
      return SqlPrinter.printToParse(groupedQuery());
    }
    if (orderBy != null) {
      return SqlPrinter.printToParse(orderedQuery(orderBy));
    }
    boolean distinct = query.select().distinct();
    if (distinct && (window != null || query.select().top() != null)) {
      return SqlPrinter.printToParse(
          with(selectOf(query.select().selection(), null), query.where(), null));
    }
    return window == null
        ? ""
        : SqlPrinter.printToParse(with(query.select(), query.where(), widened()));
  }

  private boolean isValue() {
    return query.select().selection() instanceof Query.Selection.Only;
  }

  private static boolean aggregates(Expression expression) {
    return AggregateKind.of(expression) != null
        || Subexpressions.of(expression).stream().anyMatch(Rewriting::aggregates);
  }

  private static AggregateKind kind(Expression expression) {
    AggregateKind kind = AggregateKind.of(expression);
    if (kind == null) {
      throw new IllegalStateException("not an aggregate");
    }
    return kind;
  }

  private void refuseCompositions() {
    for (Expression expression : selected) {
      if (AggregateKind.of(expression) == null && aggregates(expression)) {
        throw QueryRefused.plain(
            "Compositions of aggregates and other expressions are not allowed.");
      }
    }
  }

  private DistinctType distinctType(List<Query.Key> keys) {
    if (!query.select().distinct()) {
      return DistinctType.NONE;
    }
    List<String> values = selected.stream().map(SqlPrinter::key).toList();
    return !keys.isEmpty()
            && values.equals(keys.stream().map(key -> SqlPrinter.key(key.value())).toList())
        ? DistinctType.ORDERED
        : DistinctType.UNORDERED;
  }

  private long count(Expression expression) {
    return count(expression, parameters);
  }

  static long count(Expression expression, Parameters parameters) {
    Value value = Queries.constant(expression, parameters);
    if (value instanceof Value.Int64(long number) && number >= 0 && number <= 0xFFFF_FFFFL) {
      return number;
    }
    throw new QueryRefused(
        "SC2060", "The count value provided for a TOP clause must be an integer.", expression.at());
  }

  private SortOrder direction(Query.Key key) {
    if (key.value() instanceof Expression.Call call && isVectorDistance(call)) {
      return isNearestSmallest(call, query, vectors, parameters)
          ? SortOrder.ASCENDING
          : SortOrder.DESCENDING;
    }
    return key.direction() == Query.Direction.DESCENDING
        ? SortOrder.DESCENDING
        : SortOrder.ASCENDING;
  }

  static boolean isNearestSmallest(
      Expression.Call call, Query query, VectorPolicy vectors, Parameters parameters) {
    Value options =
        call.arguments().size() > 3
            ? Queries.constant(call.arguments().get(3), parameters)
            : Value.UNDEFINED;
    String item = Trees.rootAlias(query);
    return VectorDistance.nearestIsSmallest(options, vectors.function(call, item::equals));
  }

  private static boolean isVectorDistance(Expression expression) {
    return expression instanceof Expression.Call call
        && call.name().equalsIgnoreCase("VECTORDISTANCE");
  }

  private Map<String, Optional<AggregateKind>> aliases() {
    Map<String, Optional<AggregateKind>> aliases = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      aliases.put(names.get(i), Optional.ofNullable(AggregateKind.of(selected.get(i))));
    }
    return aliases;
  }

  /** Partial results of aggregates and, with GROUP BY, the values of the keys beside them. */
  private Query groupedQuery() {
    List<Expression> partial = selected.stream().map(Rewriting::partial).toList();
    Expression payload =
        isValue() ? valuePayload(partial.getFirst()) : Trees.object(names, partial);
    Query.Selection selection;
    if (!query.groupBy().isEmpty()) {
      selection =
          new Query.Selection.Items(
              List.of(
                  new Query.Item(Trees.items(query.groupBy()), "groupByItems"),
                  new Query.Item(payload, "payload")));
    } else if (isValue()) {
      selection = new Query.Selection.Only(payload);
    } else {
      selection = new Query.Selection.Items(List.of(new Query.Item(payload, "payload")));
    }
    return with(new Query.Select(false, null, selection), query.where(), null);
  }

  private Expression valuePayload(Expression partial) {
    return AggregateKind.of(selected.getFirst()) == null ? partial : Trees.array(List.of(partial));
  }

  private static Expression partial(Expression expression) {
    AggregateKind kind = AggregateKind.of(expression);
    if (kind == null || !(expression instanceof Expression.Call call)) {
      return expression;
    }
    List<Expression> arguments = call.arguments();
    Expression count = Trees.call("COUNT", arguments);
    return switch (kind) {
      case AVG ->
          Trees.object(
              List.of("item"),
              List.of(
                  Trees.object(
                      List.of("sum", "count"), List.of(Trees.call("SUM", arguments), count))));
      case MIN, MAX ->
          Trees.object(
              List.of("item", "item2"),
              List.of(
                  call,
                  Trees.object(
                      List.of(kind == AggregateKind.MIN ? "min" : "max", "count"),
                      List.of(call, count))));
      case COUNT, COUNTIF, MAKELIST, MAKESET, SUM -> Trees.object(List.of("item"), List.of(call));
    };
  }

  /** The row with its identity and sort keys, from the place that the client's filter says. */
  private Query orderedQuery(Query.OrderBy orderBy) {
    Expression payload =
        switch (query.select().selection()) {
          case Query.Selection.Star _ ->
              new Expression.Reference(Trees.rootAlias(query), Trees.NOWHERE);
          case Query.Selection.Only(var value) -> value;
          case Query.Selection.Items _ -> Trees.object(names, selected);
        };
    Query.Selection selection =
        new Query.Selection.Items(
            List.of(
                new Query.Item(
                    new Expression.Property(
                        new Expression.Reference(Trees.rootAlias(query), Trees.NOWHERE),
                        "_rid",
                        false,
                        Trees.NOWHERE),
                    null),
                new Query.Item(
                    Trees.items(orderBy.keys().stream().map(Query.Key::value).toList()),
                    "orderByItems"),
                new Query.Item(payload, "payload")));
    Expression where = new Expression.Reference(OrderFilter.PLACEHOLDER, Trees.NOWHERE);
    Expression given = query.where();
    if (given != null) {
      where = Trees.and(given, where);
    }
    if (isValue() && !(payload instanceof Expression.Reference)) {
      where = Trees.and(where, Trees.call("IS_DEFINED", List.of(payload)));
    }
    return with(selectOf(selection, query.select().top()), where, widened());
  }

  private Query.Select selectOf(Query.Selection selection, Query.@Nullable Top top) {
    boolean distinct =
        query.select().distinct() && distinctType(sortKeys()) == DistinctType.UNORDERED;
    return new Query.Select(distinct, distinct ? null : top, selection);
  }

  private List<Query.Key> sortKeys() {
    Query.OrderBy orderBy = query.orderBy();
    return orderBy == null ? List.of() : orderBy.keys();
  }

  /** The client skips; a partition may have to give all rows up to the end of the window. */
  private Query.@Nullable OffsetLimit widened() {
    Query.OffsetLimit window = query.offsetLimit();
    if (window == null) {
      return null;
    }
    long end = Trees.count(count(window.offset()) + count(window.limit()));
    return new Query.OffsetLimit(Trees.number(0), Trees.number(end), Trees.NOWHERE);
  }

  /** {@code SELECT COUNT(1) FROM (SELECT DISTINCT …)}: partitions give the distinct rows. */
  private @Nullable QueryInfo distinctCount() {
    Query.From from = query.from();
    if (from == null
        || selected.size() != 1
        || AggregateKind.of(selected.getFirst()) != AggregateKind.COUNT
        || query.where() != null
        || !query.groupBy().isEmpty()
        || from.sources().size() != 1
        || !(from.sources().getFirst().collection()
            instanceof Query.Collection.Nested(var nested, _))
        || !nested.select().distinct()) {
      return null;
    }
    return new QueryInfo(
        DistinctType.UNORDERED,
        null,
        null,
        null,
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        SqlPrinter.printToParse(nested),
        isValue(),
        isValue() ? "" : names.getFirst(),
        false);
  }

  private Query with(
      Query.Select select, @Nullable Expression where, Query.@Nullable OffsetLimit window) {
    return new Query(select, query.from(), where, query.groupBy(), query.orderBy(), window);
  }
}
