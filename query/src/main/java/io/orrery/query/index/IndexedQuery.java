package io.orrery.query.index;

import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * A query with its parameters, planned once for all partitions that have the same indexes. Shared
 * between threads.
 */
public final class IndexedQuery {
  private final CompiledQuery query;
  private final Parameters parameters;
  private volatile @Nullable Planned last;

  public IndexedQuery(CompiledQuery query, Parameters parameters) {
    this.query = query;
    this.parameters = parameters;
  }

  private IndexedQuery(CompiledQuery query, Parameters parameters, @Nullable Planned last) {
    this.query = query;
    this.parameters = parameters;
    this.last = last;
  }

  /** The same with all that rows need; plans depend on the values only. */
  public IndexedQuery with(Parameters whole) {
    return new IndexedQuery(query, whole, last);
  }

  private record Planned(UsableIndexes usable, AccessPlan plan) {}

  public CompiledQuery query() {
    return query;
  }

  public Parameters parameters() {
    return parameters;
  }

  /**
   * How these indexes serve the query.
   *
   * @throws io.orrery.query.syntax.QueryRefused as {@link AccessPlan#of}
   */
  public AccessPlan plan(UsableIndexes usable) {
    Planned known = last;
    if (known == null || !known.usable.equals(usable)) {
      known = new Planned(usable, AccessPlan.of(query, parameters, usable));
      last = known;
    }
    return known.plan;
  }
}
