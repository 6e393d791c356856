package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.Operation.QueryItems;
import io.orrery.query.CompiledQuery;
import io.orrery.routing.QueryToken.Grouped;
import io.orrery.routing.catalog.MappedRange;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Pages of queries that must see all items before their first row. */
final class KeptPages implements AutoCloseable {
  private final QueryTokens tokens;
  private final LongSupplier node;
  private final long memoryBytes;
  private final SpillSpace space;
  private final KeptResults results = new KeptResults();
  private final GatheringRoom room;

  /**
   * @param node the number that other nodes know this one by
   */
  KeptPages(QueryTokens tokens, LongSupplier node, QuerySettings settings, Memory memory) {
    this.tokens = tokens;
    this.node = node;
    this.memoryBytes = settings.memoryBytes();
    this.space = new SpillSpace(SpillSettings.of(settings), memory);
    this.room = new GatheringRoom(memory);
    // What is kept for a next page is made again if it is asked for.
    space.relievedBy(results::dropEldest);
  }

  /** Fills the page and tells where to go on; null at the end. */
  @Nullable String fill(
      QueryGathering page,
      QueryItems request,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage,
      @Nullable QueryToken token) {
    String feed = QueryTokens.result(request, run.container);
    QueryToken next;
    if (token instanceof QueryToken.Kept kept) {
      next = goOn(page, query, run, coverage, feed, kept);
    } else if (GroupGathering.serves(query)) {
      next = grouped(page, query, run, coverage, feed, (Grouped) token);
    } else {
      next = begin(page, gather(query, run, coverage), feed, 0);
    }
    return next == null ? null : tokens.seal(next, request, query, run.container);
  }

  private @Nullable QueryToken goOn(
      QueryGathering page,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage,
      String feed,
      QueryToken.Kept token) {
    try (RowLog.Use found = results.find(token.id(), feed)) {
      if (found != null) {
        run.probe(coverage.range(run.container.map()));
        return more(page, found.rows(), token);
      }
    }
    return begin(page, gather(query, run, coverage), feed, token.given());
  }

  private @Nullable QueryToken grouped(
      QueryGathering page,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage,
      String feed,
      @Nullable Grouped token) {
    SpillSpace own = space.ofQuery(run::look);
    try (var _ = enter(run, coverage);
        var groups = new GatheredGroups(query, run, own, memoryBytes)) {
      var gathering = new GroupGathering(run, query, coverage, groups, token);
      Grouped next = gathering.run(page);
      if (next == null && gathering.isLastPart()) {
        gathering.giveParts(page);
      } else if (next == null) {
        return begin(page, gathered(run, coverage, own).rows(query, groups), feed, 0);
      }
      return next;
    }
  }

  private QueryToken.@Nullable Kept begin(
      QueryGathering page, RowLog rows, String feed, long given) {
    long end;
    try {
      end = give(page, rows, given);
    } catch (RuntimeException | Error e) {
      rows.close();
      throw e;
    }
    if (end >= rows.size()) {
      rows.close();
      return null;
    }
    return new QueryToken.Kept(node.getAsLong(), results.keep(feed, rows), end);
  }

  private QueryToken.@Nullable Kept more(QueryGathering page, RowLog rows, QueryToken.Kept token) {
    long end = give(page, rows, token.given());
    // The last page stays too: a client may ask for it again.
    return end >= rows.size() ? null : new QueryToken.Kept(node.getAsLong(), token.id(), end);
  }

  private static long give(QueryGathering page, RowLog rows, long from) {
    rows.each(from, page::add);
    return from + page.rows().size();
  }

  private RowLog gather(CompiledQuery query, QueryRun run, QueryCoverage coverage) {
    GatheredQuery gathering = gathered(run, coverage, space.ofQuery(run::look));
    if (!query.readsItems()) {
      MappedRange range = coverage.range(run.container.map());
      run.probe(range);
      try {
        return gathering.rowsOfNoItems(query);
      } finally {
        run.computed(range);
      }
    }
    try (var _ = enter(run, coverage)) {
      return gathering.rows(query);
    }
  }

  private GatheringRoom.Place enter(QueryRun run, QueryCoverage coverage) {
    return room.enter(run.container.rid(), coverage.key() != null, run::isPastLast);
  }

  private GatheredQuery gathered(QueryRun run, QueryCoverage coverage, SpillSpace of) {
    return new GatheredQuery(run, coverage.shards(run.container.map()), of, memoryBytes);
  }

  @Override
  public void close() {
    results.close();
  }
}
