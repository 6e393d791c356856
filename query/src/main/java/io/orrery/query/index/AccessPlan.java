package io.orrery.query.index;

import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import org.jspecify.annotations.Nullable;

/** How the index serves a query. */
public final class AccessPlan {
  private final Query query;
  private final Parameters parameters;
  private final UsableIndexes usable;
  private final Access access;
  private final @Nullable OrderedScan order;

  private AccessPlan(
      Query query,
      Parameters parameters,
      UsableIndexes usable,
      Access access,
      @Nullable OrderedScan order) {
    this.query = query;
    this.parameters = parameters;
    this.usable = usable;
    this.access = access;
    this.order = order;
  }

  /**
   * Plans a query.
   *
   * @throws QueryRefused when it orders by several keys and no composite index has that order
   */
  public static AccessPlan of(CompiledQuery query, Parameters parameters, UsableIndexes usable) {
    Query top = query.query();
    if (top.from() == null) {
      return new AccessPlan(top, parameters, usable, new Access.Everything(), null);
    }
    Conditions conditions = new Conditions(parameters);
    Sources.Rows rows = conditions.sources().rows(top, null);
    Lowering lowering = new Lowering(usable);
    OrderedScan order = null;
    Query.OrderBy orderBy = top.orderBy();
    if (orderBy != null && !orderBy.rank() && isItemOrder(top)) {
      order =
          new Ordering(conditions.meanings(), lowering, rows.filter())
              .scan(orderBy, rows.bindings());
    }
    return new AccessPlan(top, parameters, usable, lowering.access(rows.filter()), order);
  }

  /** Whether the items in order give the rows in order. */
  private static boolean isItemOrder(Query query) {
    Query.From from = query.from();
    if (Sources.isGrouped(query)) {
      return false;
    }
    if (from != null
        && from.sources().getFirst().collection() instanceof Query.Collection.Nested nested) {
      return !nested.query().select().distinct() && isItemOrder(nested.query());
    }
    return true;
  }

  /** Which items can have rows. */
  public Access access() {
    return access;
  }

  /** The index that has the order of the rows, if there is one. */
  public @Nullable OrderedScan order() {
    return order;
  }

  /** Whether that index has the rows' items only where all of them share a partition key. */
  public boolean ordersWithinKey() {
    return order != null
        && usable instanceof IndexPolicy policy
        && order.index() instanceof CompositeIndex(var keys)
        && policy.isWithinKey(keys.subList(0, keys.size() - order.keys()));
  }

  /** Whether the rows have an order that no index gives. */
  public boolean sorts() {
    Query.OrderBy orderBy = query.orderBy();
    return orderBy != null && !orderBy.rank() && order == null;
  }

  /** What clients may be told of it; worked out anew with every call. */
  public IndexUse use() {
    return IndexUse.of(query, parameters, usable, IndexUse.composites(this));
  }
}
