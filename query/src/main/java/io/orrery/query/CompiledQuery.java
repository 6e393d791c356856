package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.Work;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Span;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A query that was checked and made ready to run; immutable and shared between threads. */
public final class CompiledQuery {
  private static final Span NOWHERE = new Span(0, 0);

  private final Query query;
  private final Scope.Layout layout;
  private final TopBlock top;
  private final ComputedProperties computed;

  private CompiledQuery(
      Query query, Scope.Layout layout, TopBlock top, ComputedProperties computed) {
    this.query = query;
    this.layout = layout;
    this.top = top;
    this.computed = computed;
  }

  static CompiledQuery of(Query query) {
    return of(query, VectorPolicy.NONE);
  }

  static CompiledQuery of(Query query, VectorPolicy vectors) {
    Checker.check(query);
    Scope.Layout layout = new Scope.Layout(vectors);
    TopBlock top = BlockCompiler.compileTop(query, new Scope(null, layout));
    return new CompiledQuery(query, layout, top, ComputedProperties.NONE);
  }

  /** How rows come about. */
  public enum Shape {
    /** Each item yields its rows, in the order of the items. */
    ROWS,
    /** As ROWS, then sorted by ORDER BY. */
    ORDERED,
    /** Aggregates, one row a group; in the order of the keys unless there is an ORDER BY. */
    GROUPED,
    /** As ROWS, then sorted by scores that depend on all rows. */
    RANKED
  }

  /** The same query over items that have computed properties. */
  public CompiledQuery with(ComputedProperties properties) {
    return new CompiledQuery(query, layout, top, properties);
  }

  /** The syntax tree, for planning. */
  public Query query() {
    return query;
  }

  /** The distance functions that it was compiled with. */
  public VectorPolicy vectors() {
    return layout.vectors();
  }

  /** The user's functions that it calls, by name. */
  public Set<String> userFunctions() {
    return layout.functions();
  }

  public ComputedProperties computed() {
    return computed;
  }

  public Shape shape() {
    if (top.block().grouped()) {
      return Shape.GROUPED;
    }
    if (top.ranking() != null) {
      return Shape.RANKED;
    }
    return top.order().isEmpty() ? Shape.ROWS : Shape.ORDERED;
  }

  /** Whether equal rows are given once; {@link #rows} and {@link #groups} leave that to callers. */
  public boolean distinct() {
    return top.block().distinct();
  }

  /** Whether there is a FROM; without one there is one row, whatever the items are. */
  public boolean readsItems() {
    return query.from() != null;
  }

  /** Whether an ORDER BY that is no RANK decides the order. */
  public boolean isSorted() {
    return !top.order().isEmpty();
  }

  /** How many keys ORDER BY has. */
  public int sortKeys() {
    return top.order().size();
  }

  /**
   * The query whose rows this one reads instead of items, when all items must have passed through
   * that one first; else null.
   */
  public @Nullable CompiledQuery feed() {
    TopBlock.Feed feed = top.feed();
    return feed == null ? null : new CompiledQuery(feed.query(), layout, feed.inner(), computed);
  }

  /**
   * The rows that TOP, OFFSET and LIMIT ask for.
   *
   * @throws io.orrery.query.syntax.QueryRefused when a parameter is no count
   */
  public Window window(Parameters parameters) {
    return Window.of(query, parameters);
  }

  /**
   * Lets the user's functions know which items are evaluated next, each the value that is: they are
   * evaluated in vain first, so that calls of several can be made together.
   */
  public void ahead(List<Value> items, Parameters parameters) {
    if (shape() == Shape.GROUPED) {
      GroupTable table = groups(parameters);
      parameters.functions().ahead(items, table::addInVain);
    } else {
      ItemRows rows = rows(parameters);
      parameters.functions().ahead(items, item -> rows.each(item, (row, keys) -> true));
    }
  }

  /** The rows of items, one after the other: not for GROUPED. */
  public ItemRows rows(Parameters parameters) {
    return new ItemRows(top, binding(parameters));
  }

  /** An empty table of groups: only for GROUPED. */
  public GroupTable groups(Parameters parameters) {
    return new GroupTable(top, binding(parameters));
  }

  private ItemBinding binding(Parameters parameters) {
    return new ItemBinding(layout.frame(parameters), top, computed, !layout.functions().isEmpty());
  }

  /** The order of ORDER BY over the keys that come with rows; all are equal without one. */
  public Comparator<List<Value>> order() {
    return order(Work.UNCOUNTED);
  }

  /** The same, whose comparisons count as work of the query, which may refuse it. */
  public Comparator<List<Value>> order(Work work) {
    return (left, right) -> top.compare(left, right, work);
  }

  /** An empty table of ranks when the query is RANKED, else null. */
  public @Nullable RankTable ranks(Parameters parameters) {
    Ranking ranking = top.ranking();
    return ranking == null ? null : new RankTable(ranking, parameters.budget());
  }

  /**
   * The query whose rows give the statistics for the scores of this one: over all items, as clients
   * that merge partitions take them; null when this one's own rows do.
   */
  public @Nullable CompiledQuery statistics() {
    Ranking ranking = top.ranking();
    if (ranking == null
        || ranking.components().stream().noneMatch(Ranking.Component::text)
        || query.where() == null
        || top.feed() != null) {
      return null;
    }
    var one = new Query.Selection.Only(new Expression.Literal(Value.of(1), NOWHERE));
    Query all =
        new Query(
            new Query.Select(false, null, one),
            query.from(),
            null,
            List.of(),
            query.orderBy(),
            null);
    return of(all, layout.vectors()).with(computed);
  }

  /**
   * Whether each item yields its rows independently of all others, in any order: no aggregate,
   * GROUP BY, DISTINCT, ORDER BY, TOP or OFFSET at the top, and a FROM.
   */
  public boolean isItemwise() {
    return readsItems()
        && top.feed() == null
        && shape() == Shape.ROWS
        && !distinct()
        && query.select().top() == null
        && query.offsetLimit() == null;
  }

  /** The rows that one item yields; only for queries that are {@link #isItemwise}. */
  public List<Value> rows(Value item, Parameters parameters) {
    if (!isItemwise()) {
      throw new IllegalStateException("query looks across items");
    }
    List<Value> rows = new ArrayList<>();
    long[] bytes = {0};
    rows(parameters)
        .each(
            item,
            (row, keys) -> {
              long size = Sizes.memoryBytes(row);
              bytes[0] += size;
              Sizes.allowGathered(bytes[0]);
              parameters.budget().hold(size);
              return rows.add(row);
            });
    return rows;
  }

  /** The first row of an item as a value within the evaluation that the frame belongs to. */
  Value first(Value item, Frame outer) {
    Frame frame = layout.frame(outer.parameters, outer.work);
    List<Value> rows = new ArrayList<>(1);
    top.block()
        .bind(
            new ItemBinding(frame, top, computed, false).bind(item),
            () ->
                top.emit(
                    frame,
                    (row, keys) -> {
                      rows.add(row);
                      return false;
                    }));
    if (rows.isEmpty()) {
      return Value.UNDEFINED;
    }
    outer.work.take(Sizes.memoryBytes(rows.getFirst()));
    return rows.getFirst();
  }

  /** All rows over all items, in memory: every operator of the language, nothing streamed. */
  public List<Value> run(Iterable<Value> items, Parameters parameters) {
    return Execution.run(this, items, parameters);
  }
}
