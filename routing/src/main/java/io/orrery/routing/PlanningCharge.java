package io.orrery.routing;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.SqlQuery;
import io.orrery.partition.QueryWork;
import io.orrery.query.QueryBudget;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.routing.catalog.PartitionMap;
import org.jspecify.annotations.Nullable;

/**
 * The price of reading and planning a query. That of a usual one is free, as in the service; beyond
 * it, the range that stands for the request is asked before the work goes on, and pays for it.
 */
final class PlanningCharge {
  /** About as much as reading a text of 5,000 characters takes. */
  static final long FREE_STEPS = 10_000;

  private static final int STEPS_PER_CHARACTER = 2;
  private static final int CHARACTERS_PER_STEP = 4;

  private final PageDraw draw;
  private final @Nullable MappedRange range;
  private final QueryBudget budget;

  /**
   * Begins to count.
   *
   * @param range null where no range pays
   * @throws Refused when the text alone exceeds what is free and the range's share is spent
   */
  PlanningCharge(PageDraw draw, @Nullable MappedRange range, SqlQuery query, QueryBudget budget) {
    this.draw = draw;
    this.range = range;
    this.budget = budget;
    if (range != null) {
      budget.paidBy(FREE_STEPS, () -> draw.admit(range));
    }
    long values = query.parameters().values().stream().mapToLong(v -> v.bytes().size()).sum();
    budget.steps(STEPS_PER_CHARACTER * (query.text().length() + values));
  }

  /**
   * Counts the text of a plan, which takes less to write than to read.
   *
   * @throws Refused as above
   */
  void written(long characters) {
    budget.steps(characters / CHARACTERS_PER_STEP);
  }

  /** The range that stands for what a request covers. */
  static MappedRange range(FeedScope scope, ContainerEntry container, ItemTasks tasks) {
    PartitionMap map = container.map();
    return switch (scope) {
      case FeedScope.Whole() -> map.ranges().getFirst();
      case FeedScope.OfKey(PartitionKey given) -> {
        PartitionKey key = tasks.fitted(given, container.key());
        yield key.components().isEmpty()
            ? map.ranges().getFirst()
            : map.find(EffectivePartitionKey.rangeOf(key, container.key()).min());
      }
      case FeedScope.OfRange(String id, var part) -> {
        EpkRange epks = map.epksOf(id);
        yield epks == null ? map.ranges().getFirst() : map.find(epks.min());
      }
    };
  }

  /** Charges what was done so far, whether or not it has led to a plan. */
  RequestCharge settle() {
    RequestCharge price = QueryWork.ofSteps(Math.max(0, budget.steps() - FREE_STEPS)).charge();
    if (range != null) {
      draw.used(range, price);
    }
    return price;
  }
}
