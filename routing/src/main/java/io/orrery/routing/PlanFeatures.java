package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.query.function.AggregateKind;
import io.orrery.query.plan.HybridSearch;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Holds a plan to what the client says it can merge. */
record PlanFeatures(Set<String> listed) {
  private static final String COUNT_IF = "CountIf";

  /**
   * The plan in a form that the client can carry out.
   *
   * @throws Refused when there is none
   */
  QueryPlan.Merge fitted(QueryPlan.Merge merge) {
    QueryPlan.Merge fitted =
        merge instanceof QueryInfo info && !listed.contains(COUNT_IF)
            ? info.countingPlainly()
            : merge;
    List<String> missing = needed(fitted).stream().filter(name -> !listed.contains(name)).toList();
    if (!missing.isEmpty()) {
      throw new Refused(new Refusal.ClientLacksFeatures(missing));
    }
    return fitted;
  }

  private static List<String> needed(QueryPlan.Merge merge) {
    return switch (merge) {
      case QueryInfo info -> needed(info);
      case HybridSearch hybrid ->
          hybrid.weights().stream().allMatch(weight -> weight == 1)
              ? List.of("HybridSearch")
              : List.of("HybridSearch", "WeightedRankFusion");
    };
  }

  /** The conditions of the service's own check, in its order. */
  private static List<String> needed(QueryInfo info) {
    List<AggregateKind> kinds = aggregates(info);
    var needed = new ArrayList<String>();
    if (!kinds.isEmpty()) {
      needed.add(kinds.size() == 1 ? "Aggregate" : "MultipleAggregates");
    }
    if (info.distinctType() != QueryInfo.DistinctType.NONE) {
      needed.add("Distinct");
    }
    if (!info.groupByExpressions().isEmpty()) {
      needed.add("GroupBy");
    }
    if (info.offset() != null || info.limit() != null) {
      needed.add("OffsetAndLimit");
    }
    if (info.hasNonStreamingOrderBy()) {
      needed.add("NonStreamingOrderBy");
    } else if (!info.orderBy().isEmpty()) {
      needed.add(info.orderBy().size() == 1 ? "OrderBy" : "MultipleOrderBy");
    }
    if (info.top() != null) {
      needed.add("Top");
    }
    if (!kinds.isEmpty() && !info.hasSelectValue()) {
      needed.add("NonValueAggregate");
    }
    if (info.dCountAlias() != null) {
      needed.add("DCount");
    }
    if (kinds.contains(AggregateKind.MAKELIST) || kinds.contains(AggregateKind.MAKESET)) {
      needed.add("ListAndSetAggregate");
    }
    if (kinds.contains(AggregateKind.COUNTIF)) {
      needed.add(COUNT_IF);
    }
    return needed;
  }

  private static List<AggregateKind> aggregates(QueryInfo info) {
    var kinds = new ArrayList<>(info.aggregates());
    info.groupByAliases().values().forEach(kind -> kind.ifPresent(kinds::add));
    return kinds;
  }
}
