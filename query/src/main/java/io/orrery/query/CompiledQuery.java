package io.orrery.query;

import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;

/** A query that was checked and made ready to run; immutable and shared between threads. */
public final class CompiledQuery {
  private final Query query;
  private final Scope.Layout layout;
  private final TopBlock top;
  private final Block block;

  private CompiledQuery(Query query, Scope.Layout layout, TopBlock top) {
    this.query = query;
    this.layout = layout;
    this.top = top;
    this.block = top.block();
  }

  static CompiledQuery of(Query query) {
    Checker.check(query);
    Scope.Layout layout = new Scope.Layout();
    return new CompiledQuery(
        query, layout, BlockCompiler.compileTop(query, new Scope(null, layout)));
  }

  /** The syntax tree, for planning. */
  public Query query() {
    return query;
  }

  /**
   * Whether each item yields its rows independently of all others, in any order: no aggregate,
   * GROUP BY, DISTINCT, ORDER BY, TOP or OFFSET at the top, and a FROM.
   */
  public boolean isItemwise() {
    return query.from() != null
        && top.feed() == null
        && !block.grouped()
        && !block.distinct()
        && query.orderBy() == null
        && query.select().top() == null
        && query.offsetLimit() == null;
  }

  /** The rows that one item yields; only for queries that are {@link #isItemwise}. */
  public List<Value> rows(Value item, Parameters parameters) {
    if (!isItemwise()) {
      throw new IllegalStateException("query looks across items");
    }
    Frame frame = layout.frame(parameters);
    frame.inputs[Frame.ITEM] = item;
    List<Value> rows = new ArrayList<>();
    block.each(frame, rows::add);
    return rows;
  }

  /** All rows over all items, in memory: every operator of the language, nothing streamed. */
  public List<Value> run(Iterable<Value> items, Parameters parameters) {
    return Execution.run(query, top, items, layout.frame(parameters));
  }
}
