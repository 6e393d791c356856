package io.orrery.routing;

import io.orrery.operation.Operation.QueryItems;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.partition.PartialRow;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.QueryBudget;
import io.orrery.query.Window;
import io.orrery.query.index.IndexedQuery;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryPlan;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of queries whose rows come in their final order from the partitions. */
final class StreamedPages {
  /** Rows that are only passed over are read in stretches of so many. */
  private static final int PASSED_ROWS_MAX = 10_000;

  /** How much of a page is drawn from the memory account at a time. */
  private static final int HELD_AT_ONCE_BYTES = 64 << 10;

  private final QueryTokens tokens;

  StreamedPages(QueryTokens tokens) {
    this.tokens = tokens;
  }

  /** Whether rows can be given before all items were seen. */
  static boolean serves(IndexedQuery planned, QueriedContainers.Prepared container) {
    CompiledQuery query = planned.query();
    if (!query.readsItems() || query.feed() != null) {
      return false;
    }
    return switch (query.shape()) {
      case ROWS -> !query.distinct();
      case ORDERED ->
          !sorts(planned, container)
              && (!query.distinct() || onceEach(query, planned.parameters(), container.key()));
      case GROUPED, RANKED -> false;
    };
  }

  /** By what the container promises; a partition that is still at its index sorts by itself. */
  private static boolean sorts(IndexedQuery planned, QueriedContainers.Prepared container) {
    return planned.plan(container.policy().without(planned.query().computed().names())).sorts();
  }

  /** Whether equal rows are those with equal sort keys, hence neighbours. */
  private static boolean onceEach(
      CompiledQuery query, Parameters parameters, PartitionKeyDefinition key) {
    return query.distinct()
        && QueryPlan.of(query, parameters, key).merge() instanceof QueryInfo info
        && info.distinctType() == QueryInfo.DistinctType.ORDERED;
  }

  /**
   * Fills the page and tells where to go on; null at the end. Goes on also where the rows no longer
   * come in order by themselves: the partitions then sort for each page.
   */
  @Nullable String fill(
      QueryGathering page,
      QueryItems request,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage,
      QueryToken.@Nullable Streamed token) {
    int sorts = query.shape() == CompiledQuery.Shape.ORDERED ? query.sortKeys() : 0;
    if (token != null && token.sorts() != sorts) {
      throw Continuations.invalid();
    }
    Window window = token == null ? query.window(run.parameters) : token.window();
    List<Value> position = token == null ? null : token.position();
    RowStream rows =
        sorts > 0
            ? SortedOrder.from(
                run,
                query,
                coverage.shards(run.container.map()),
                onceEach(query, run.parameters, run.container.key()),
                position)
            : InsertionOrder.from(run, query, coverage, position);
    // In order of insertion every page makes progress.
    var began = sorts > 0 ? new QueryToken.Streamed(sorts, window, rows.position()) : null;
    Window left = fill(page, rows, window, run.parameters.budget());
    while (left.limit() > 0 && !rows.isExhausted()) {
      var next = new QueryToken.Streamed(sorts, left, rows.position());
      if (!next.equals(began)) {
        return tokens.seal(next, request, query, run.container);
      }
      // No progress, among keys too long for a continuation: the next page would do the same again.
      if (!run.prolong()) {
        throw QueryRefused.outOfTime();
      }
      left = fill(page, rows, left, run.parameters.budget());
    }
    return null;
  }

  /** Gives what is left of the window. A page ends early where memory does. */
  private static Window fill(
      QueryGathering page, RowStream rows, Window window, QueryBudget budget) {
    long toSkip = window.offset();
    long left = window.limit();
    long held = 0;
    while (left > 0 && !page.isFull()) {
      long wanted = Math.min(left, page.roomRows());
      var room = new RowMerge.Room(Math.min(toSkip, PASSED_ROWS_MAX) + wanted, page.roomBytes());
      PartialRow row = rows.peek(room);
      if (row == null) {
        break;
      }
      if (toSkip > 0) {
        toSkip--;
      } else if (!page.add(Json.write(row.row()))) {
        break;
      } else if (left != Long.MAX_VALUE) {
        left--;
      }
      rows.take();
      long unheld = page.bytes() - held;
      if (unheld > HELD_AT_ONCE_BYTES) {
        if (!budget.tryHold(unheld)) {
          break;
        }
        held += unheld;
      }
    }
    return new Window(toSkip, left);
  }
}
