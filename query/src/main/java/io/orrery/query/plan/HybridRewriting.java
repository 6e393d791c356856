package io.orrery.query.plan;

import io.orrery.query.CompiledQuery;
import io.orrery.query.ItemNames;
import io.orrery.query.Parameters;
import io.orrery.query.VectorPolicy;
import io.orrery.query.plan.QueryInfo.DistinctType;
import io.orrery.query.plan.QueryInfo.SortOrder;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes ORDER BY RANK apart: one query for the statistics, one per score. */
final class HybridRewriting {
  private static final String HYBRID = "{documentdb-formattablehybridsearchquery-";

  /** Each score ranks at least this many rows, and twice what is asked for. */
  private static final long LEAST_RANKED = 60;

  private static final double WORST = 1.79769e+308;

  private record Score(Expression value, Expression worst, Query.Direction direction) {}

  private final Query query;
  private final Parameters parameters;
  private final List<Expression> statistics = new ArrayList<>();
  private final List<Score> scores = new ArrayList<>();
  private final List<Double> weights = new ArrayList<>();

  private final VectorPolicy vectors;

  private HybridRewriting(CompiledQuery compiled, Parameters parameters) {
    this.query = compiled.query();
    this.vectors = compiled.vectors();
    this.parameters = parameters;
  }

  static HybridSearch of(CompiledQuery compiled, Query.OrderBy orderBy, Parameters parameters) {
    HybridRewriting rewriting = new HybridRewriting(compiled, parameters);
    for (Query.Key key : orderBy.keys()) {
      rewriting.rank((Expression.Call) key.value());
    }
    return rewriting.search();
  }

  private void rank(Expression.Call call) {
    if (!call.name().equalsIgnoreCase("RRF")) {
      score(call, 1);
      return;
    }
    List<Expression> components = call.arguments();
    List<Expression> given = List.of();
    if (components.getLast() instanceof Expression.ArrayOf(var literal, _)) {
      given = literal;
      components = components.subList(0, components.size() - 1);
    }
    for (int i = 0; i < components.size(); i++) {
      double weight =
          i < given.size() && given.get(i) instanceof Expression.Literal(Value.Num number, var _)
              ? number.asDouble()
              : 1;
      score((Expression.Call) components.get(i), weight);
    }
  }

  private void score(Expression.Call call, double weight) {
    weights.add(weight);
    if (!call.name().equalsIgnoreCase("FULLTEXTSCORE")) {
      boolean smallest = Rewriting.isNearestSmallest(call, query, vectors, parameters);
      Expression worst =
          new Expression.Literal(new Value.Float64(smallest ? WORST : -WORST), Trees.NOWHERE);
      scores.add(
          new Score(
              call, worst, smallest ? Query.Direction.ASCENDING : Query.Direction.DESCENDING));
      return;
    }
    Expression text = call.arguments().getFirst();
    List<Expression> phrases =
        call.arguments().stream()
            .skip(1)
            .flatMap(
                phrase ->
                    phrase instanceof Expression.ArrayOf(var several, var _)
                        ? several.stream()
                        : Stream.of(phrase))
            .toList();
    int number = statistics.size();
    statistics.add(statistics(text, phrases));
    Expression value =
        Trees.call(
            "_FullTextScore",
            List.of(
                text,
                Trees.array(phrases),
                placeholder("totaldocumentcount"),
                placeholder("totalwordcount-" + number),
                placeholder("hitcountsarray-" + number)));
    scores.add(new Score(value, Trees.number(-1), Query.Direction.DESCENDING));
  }

  private static Expression statistics(Expression text, List<Expression> phrases) {
    List<Expression> hits =
        phrases.stream()
            .map(
                phrase ->
                    Trees.call(
                        "COUNTIF", List.of(Trees.call("FullTextContains", List.of(text, phrase)))))
            .toList();
    return Trees.object(
        List.of("totalWordCount", "hitCounts"),
        List.of(
            Trees.call("SUM", List.of(Trees.call("_FullTextWordCount", List.of(text)))),
            Trees.array(hits)));
  }

  private static Expression placeholder(String name) {
    return new Expression.Reference(HYBRID + name + "}", Trees.NOWHERE);
  }

  private HybridSearch search() {
    Query.Top top = query.select().top();
    Query.OffsetLimit window = query.offsetLimit();
    Long skip = window == null ? null : Rewriting.count(window.offset(), parameters);
    Long take =
        window != null
            ? Long.valueOf(Rewriting.count(window.limit(), parameters))
            : top == null ? null : Long.valueOf(Rewriting.count(top.count(), parameters));
    Long ranked =
        take == null
            ? null
            : Trees.count(2 * Math.max(LEAST_RANKED, take + (skip == null ? 0 : skip)));
    List<QueryInfo> components = new ArrayList<>();
    long chars = 0;
    for (Score score : scores) {
      parameters.budget().look();
      QueryInfo component = component(score, ranked, window != null);
      chars += component.rewrittenQuery().length();
      if (chars > SqlPrinter.CHARS_MAX) {
        throw SqlPrinter.tooLong(); // every component repeats all scores
      }
      components.add(component);
    }
    return new HybridSearch(
        statisticsQuery(), components, weights, skip, take, !statistics.isEmpty());
  }

  private String statisticsQuery() {
    Query.Selection selection =
        new Query.Selection.Items(
            List.of(
                new Query.Item(Trees.call("COUNT", List.of(Trees.number(1))), "documentCount"),
                new Query.Item(Trees.array(statistics), "fullTextStatistics")));
    return SqlPrinter.printToParse(
        new Query(
            new Query.Select(false, null, selection), query.from(), null, List.of(), null, null));
  }

  private QueryInfo component(Score score, @Nullable Long ranked, boolean windowed) {
    Query.Key key = new Query.Key(score.value, score.direction);
    Expression where = new Expression.Reference(OrderFilter.PLACEHOLDER, Trees.NOWHERE);
    Expression given = query.where();
    Query.Top top =
        ranked == null || windowed ? null : new Query.Top(Trees.number(ranked), Trees.NOWHERE);
    Query.OffsetLimit window =
        ranked == null || !windowed
            ? null
            : new Query.OffsetLimit(Trees.number(0), Trees.number(ranked), Trees.NOWHERE);
    Query rewritten =
        new Query(
            new Query.Select(false, top, selection(score)),
            query.from(),
            given == null ? where : Trees.and(given, where),
            List.of(),
            new Query.OrderBy(false, List.of(key), Trees.NOWHERE),
            window);
    return new QueryInfo(
        DistinctType.NONE,
        top == null ? null : ranked,
        window == null ? null : Long.valueOf(0),
        window == null ? null : ranked,
        List.of(
            score.direction == Query.Direction.ASCENDING
                ? SortOrder.ASCENDING
                : SortOrder.DESCENDING),
        List.of(SqlPrinter.print(score.value)),
        List.of(),
        Map.of(),
        List.of(),
        SqlPrinter.printToParse(rewritten),
        false,
        null,
        true);
  }

  private Query.Selection selection(Score score) {
    String alias = Trees.rootAlias(query);
    Expression root = new Expression.Reference(alias, Trees.NOWHERE);
    Expression payload =
        switch (query.select().selection()) {
          case Query.Selection.Star _ -> root;
          case Query.Selection.Only(var value) -> value;
          case Query.Selection.Items(var items) ->
              Trees.object(
                  List.of(ItemNames.of(items)), items.stream().map(Query.Item::value).toList());
        };
    List<Expression> all = new ArrayList<>();
    scores.forEach(s -> all.add(new Expression.Coalesce(s.value, s.worst, Trees.NOWHERE)));
    return new Query.Selection.Items(
        List.of(
            new Query.Item(new Expression.Property(root, "_rid", false, Trees.NOWHERE), null),
            new Query.Item(Trees.items(List.of(score.value)), "orderByItems"),
            new Query.Item(
                Trees.object(
                    List.of("payload", "componentScores"), List.of(payload, Trees.array(all))),
                "payload")));
  }
}
