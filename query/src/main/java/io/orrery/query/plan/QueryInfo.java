package io.orrery.query.plan;

import io.orrery.query.function.AggregateKind;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to merge the rows of partitions, and the query to run on each; an empty rewritten query means
 * the original one.
 *
 * @param groupByAliases the members of the rows in order, with their aggregate where they are one
 * @param dCountAlias the member that counts distinct rows, empty for the bare value
 */
public record QueryInfo(
    DistinctType distinctType,
    @Nullable Long top,
    @Nullable Long offset,
    @Nullable Long limit,
    List<SortOrder> orderBy,
    List<String> orderByExpressions,
    List<String> groupByExpressions,
    Map<String, Optional<AggregateKind>> groupByAliases,
    List<AggregateKind> aggregates,
    String rewrittenQuery,
    boolean hasSelectValue,
    @Nullable String dCountAlias,
    boolean hasNonStreamingOrderBy)
    implements QueryPlan.Merge {

  /** Of a query whose rows need no merging, as every partition has them. */
  public static QueryInfo unmerged(boolean hasSelectValue) {
    return new QueryInfo(
        DistinctType.NONE,
        null,
        null,
        null,
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        "",
        hasSelectValue,
        null,
        false);
  }

  /** How duplicates are found: next to each other or anywhere. */
  public enum DistinctType {
    NONE("None"),
    ORDERED("Ordered"),
    UNORDERED("Unordered");

    private final String text;

    DistinctType(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Direction of a sort key. */
  public enum SortOrder {
    ASCENDING("Ascending"),
    DESCENDING("Descending");

    private final String text;

    SortOrder(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** For clients that unwrap rows which are no objects only when they are told to. */
  public QueryInfo selectingValues() {
    return with(groupByAliases, aggregates, true);
  }

  /** For clients that know no COUNTIF: partial counts are added up, whatever was counted. */
  public QueryInfo countingPlainly() {
    Map<String, Optional<AggregateKind>> aliases = new LinkedHashMap<>();
    groupByAliases.forEach((alias, kind) -> aliases.put(alias, kind.map(QueryInfo::plain)));
    return with(aliases, aggregates.stream().map(QueryInfo::plain).toList(), hasSelectValue);
  }

  private static AggregateKind plain(AggregateKind kind) {
    return kind == AggregateKind.COUNTIF ? AggregateKind.COUNT : kind;
  }

  private QueryInfo with(
      Map<String, Optional<AggregateKind>> aliases, List<AggregateKind> kinds, boolean values) {
    return new QueryInfo(
        distinctType,
        top,
        offset,
        limit,
        orderBy,
        orderByExpressions,
        groupByExpressions,
        aliases,
        kinds,
        rewrittenQuery,
        values,
        dCountAlias,
        hasNonStreamingOrderBy);
  }

  /** The {@code queryInfo} of a plan as clients read it: every member is there. */
  public Value asValue() {
    Map<String, Value> info = new LinkedHashMap<>();
    info.put("distinctType", Value.of(distinctType.text()));
    info.put("top", number(top));
    info.put("offset", number(offset));
    info.put("limit", number(limit));
    info.put("orderBy", texts(orderBy.stream().map(SortOrder::text).toList()));
    info.put("orderByExpressions", texts(orderByExpressions));
    info.put("groupByExpressions", texts(groupByExpressions));
    info.put("groupByAliases", texts(List.copyOf(groupByAliases.keySet())));
    info.put("aggregates", texts(aggregates.stream().map(AggregateKind::planName).toList()));
    Map<String, Value> types = new LinkedHashMap<>();
    groupByAliases.forEach(
        (alias, kind) ->
            types.put(alias, kind.map(k -> Value.of(k.planName())).orElse(Value.NULL)));
    info.put("groupByAliasToAggregateType", new Value.Obj(types));
    info.put("rewrittenQuery", Value.of(rewrittenQuery));
    info.put("hasSelectValue", Value.of(hasSelectValue));
    info.put(
        "dCountInfo",
        dCountAlias == null
            ? Value.NULL
            : new Value.Obj(Map.of("dCountAlias", Value.of(dCountAlias))));
    info.put("hasNonStreamingOrderBy", Value.of(hasNonStreamingOrderBy));
    return new Value.Obj(info);
  }

  private static Value number(@Nullable Long number) {
    return number == null ? Value.NULL : Value.of(number);
  }

  private static Value texts(List<String> texts) {
    return new Value.Arr(texts.stream().map(Value::of).toList());
  }
}
