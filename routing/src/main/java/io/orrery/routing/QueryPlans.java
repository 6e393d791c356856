package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation.PlanQuery;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.plan.HybridSearch;
import io.orrery.query.plan.KeyAnalysis;
import io.orrery.query.plan.KeyFilter;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tells clients that ask the ranges themselves how to run a query and merge the answers. */
final class QueryPlans {
  private static final int VERSION = 2;

  private final Catalog catalog;
  private final Budgets budgets;
  private final ItemTasks tasks;
  private final QueriedContainers containers;

  QueryPlans(Catalog catalog, Budgets budgets, ItemTasks tasks, QueriedContainers containers) {
    this.catalog = catalog;
    this.budgets = budgets;
    this.tasks = tasks;
    this.containers = containers;
  }

  /** The plan of a query, or why there is none, or none that the client can carry out. */
  Answer plan(PlanQuery request) {
    var draw = new PageDraw(budgets, RequestCharge.NONE);
    return draw.settled(() -> plan(request, draw));
  }

  private Answer plan(PlanQuery request, PageDraw draw) {
    CatalogImage image = catalog.image();
    ContainerEntry container = ItemRouter.resolve(image, request.container());
    draw.begin(image, container, null);
    FeedScope scope =
        request.key() == null ? new FeedScope.Whole() : new FeedScope.OfKey(request.key());
    MappedRange range = PlanningCharge.range(scope, container, tasks);
    Parameters parameters = QueryParameters.of(request.query());
    try (var budget = parameters.budget()) {
      var charge = new PlanningCharge(draw, range, request.query(), budget);
      Body plan;
      try {
        plan = plan(request, parameters, container);
        charge.written(plan.bytes().size());
      } catch (RuntimeException e) {
        charge.settle();
        throw e;
      }
      return new Answer(new Outcome.QueryPlanned(plan), charge.settle(), container.asOwner(), null);
    }
  }

  private Body plan(PlanQuery request, Parameters parameters, ContainerEntry container) {
    PartitionKeyDefinition definition = container.key();
    CompiledQuery query = containers.of(container).compile(request.query().text());
    KeyFilter keys =
        request.key() == null
            ? KeyAnalysis.of(query, parameters, definition)
            : keys(tasks.fitted(request.key(), definition));
    QueryPlan.Merge merge;
    try {
      QueryPlan plan = QueryPlan.of(query, parameters, definition);
      merge = new PlanFeatures(request.features()).fitted(plan.merge());
    } catch (QueryRefused | Refused e) {
      if (!isOneKey(keys, definition) || isOverBudget(e)) {
        throw e;
      }
      // One logical partition answers alone: there is nothing to merge.
      merge = unmerged(query.query());
    }
    if (merge instanceof QueryInfo info && selectsScalars(query.query())) {
      // Otherwise the Java SDK gives each row wrapped in an object.
      merge = info.selectingValues();
    }
    return Body.json(Json.write(document(merge, ranges(keys, definition))));
  }

  private static boolean isOverBudget(RuntimeException e) {
    return e instanceof QueryRefused refused
        ? refused.kind() != QueryRefused.Kind.QUERY
        : e instanceof Refused throttled && throttled.refusal() instanceof Refusal.Throttled;
  }

  private static KeyFilter keys(PartitionKey given) {
    return given.components().isEmpty()
        ? new KeyFilter.Everything()
        : new KeyFilter.Keys(Set.of(given));
  }

  private static boolean isOneKey(KeyFilter keys, PartitionKeyDefinition definition) {
    return keys instanceof KeyFilter.Keys(var points)
        && points.size() == 1
        && points.iterator().next().components().size() == definition.paths().size();
  }

  /** Whether {@code SELECT *} reads something inside of items, which may be no object. */
  private static boolean selectsScalars(Query query) {
    return query.select().selection() instanceof Query.Selection.Star
        && query.from() != null
        && !(query.from().sources().getFirst()
                instanceof Query.Source.Whole(Query.Collection.Path(_, var steps, _, _), _, _)
            && steps.isEmpty());
  }

  private static QueryInfo unmerged(Query query) {
    return QueryInfo.unmerged(query.select().selection() instanceof Query.Selection.Only);
  }

  private static Value document(QueryPlan.Merge merge, Value ranges) {
    Map<String, Value> plan = new LinkedHashMap<>();
    plan.put("partitionedQueryExecutionInfoVersion", Value.of(VERSION));
    plan.put("queryInfo", merge instanceof QueryInfo info ? info.asValue() : Value.NULL);
    plan.put("queryRanges", ranges);
    plan.put(
        "hybridSearchQueryInfo",
        merge instanceof HybridSearch hybrid ? hybrid.asValue() : Value.NULL);
    return new Value.Obj(plan);
  }

  /** Sorted and without overlap, as clients expect them; a whole key is a single point. */
  private static Value ranges(KeyFilter keys, PartitionKeyDefinition definition) {
    return switch (keys) {
      case KeyFilter.Everything() ->
          new Value.Arr(
              List.of(
                  range(EffectivePartitionKey.MIN.hex(), EffectivePartitionKey.MAX.hex(), false)));
      // Any range answers it: no item matters.
      case KeyFilter.Nothing() ->
          new Value.Arr(
              List.of(
                  range(EffectivePartitionKey.MIN.hex(), EffectivePartitionKey.MIN.hex(), true)));
      case KeyFilter.Keys(var points) -> {
        var byMin = new TreeMap<String, PartitionKey>();
        points.forEach(
            key ->
                byMin.merge(
                    EffectivePartitionKey.of(key, definition).hex(), key, QueryPlans::wider));
        var ranges = new ArrayList<Value>();
        String prefix = null;
        for (var point : byMin.entrySet()) {
          String min = point.getKey();
          if (prefix != null && min.startsWith(prefix)) {
            continue;
          }
          boolean whole = point.getValue().components().size() == definition.paths().size();
          prefix = whole ? null : min;
          ranges.add(range(min, whole ? min : min + EffectivePartitionKey.MAX.hex(), whole));
        }
        yield new Value.Arr(ranges);
      }
    };
  }

  private static PartitionKey wider(PartitionKey one, PartitionKey other) {
    return one.components().size() <= other.components().size() ? one : other;
  }

  private static Value range(String min, String max, boolean maxInclusive) {
    Map<String, Value> range = new LinkedHashMap<>();
    range.put("min", Value.of(min));
    range.put("max", Value.of(max));
    range.put("isMinInclusive", Value.TRUE);
    range.put("isMaxInclusive", Value.of(maxInclusive));
    return new Value.Obj(range);
  }
}
