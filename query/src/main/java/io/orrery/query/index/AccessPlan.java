package io.orrery.query.index;

import io.orrery.operation.Bytes;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the index serves a query. */
public final class AccessPlan {
  private final Access access;
  private final @Nullable OrderedScan order;
  private final boolean sorts;

  private AccessPlan(Access access, @Nullable OrderedScan order, boolean sorts) {
    this.access = access;
    this.order = order;
    this.sorts = sorts;
  }

  /**
   * Plans a query.
   *
   * @throws QueryRefused when it orders by several keys and no composite index has that order
   */
  public static AccessPlan of(CompiledQuery query, Parameters parameters, UsableIndexes usable) {
    Query.OrderBy orderBy = query.query().orderBy();
    Query.From from = query.query().from();
    if (orderBy == null || orderBy.rank() || from == null) {
      return new AccessPlan(new Access.Everything(), null, false);
    }
    IndexPath path = orderBy.keys().size() == 1 ? path(orderBy.keys().getFirst().value()) : null;
    if (path == null || !path.isSingle() || !usable.covers(path) || from.sources().size() > 1) {
      return new AccessPlan(new Access.Everything(), null, true);
    }
    boolean backward = orderBy.keys().getFirst().direction() == Query.Direction.DESCENDING;
    Stretch all =
        new Stretch.Range(
            Bytes.of(TermEncoding.prefix(path)),
            Bytes.of(new TermWriter().hash(path.hash()).raw(new byte[] {TermWriter.END}).done()));
    return new AccessPlan(
        new Access.Everything(),
        new OrderedScan(path, List.of(all), backward, true, 1, new Access.Everything()),
        false);
  }

  private static @Nullable IndexPath path(Expression expression) {
    List<String> names = new ArrayList<>();
    Expression of = expression;
    while (of instanceof Expression.Property(var inner, var name, _, _)) {
      names.addFirst(name);
      of = inner;
    }
    return of instanceof Expression.Reference ? new IndexPath(names) : null;
  }

  /** Which items can have rows. */
  public Access access() {
    return access;
  }

  /** The index that has the order of the rows, if there is one. */
  public @Nullable OrderedScan order() {
    return order;
  }

  /** Whether the rows have an order that no index gives. */
  public boolean sorts() {
    return sorts;
  }
}
