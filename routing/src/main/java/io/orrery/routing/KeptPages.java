package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.Operation.QueryItems;
import io.orrery.query.CompiledQuery;
import io.orrery.value.Json;
import java.io.UncheckedIOException;
import java.util.List;
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
      QueryToken.@Nullable Kept token) {
    QueryToken.Kept next = null;
    String feed = QueryTokens.result(request, run.container);
    RowLog rows = token == null ? null : results.find(token.id(), feed);
    if (token != null && rows != null) {
      run.probe(coverage.range(run.container.map()));
      try {
        next = more(page, rows, token);
        return next == null ? null : tokens.seal(next, request, query, run.container);
      } catch (UncheckedIOException closedMeanwhile) {
        results.drop(token.id());
      }
    }
    next = begin(page, query, run, coverage, feed, token == null ? 0 : token.given());
    return next == null ? null : tokens.seal(next, request, query, run.container);
  }

  private QueryToken.@Nullable Kept begin(
      QueryGathering page,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage,
      String feed,
      long given) {
    RowLog rows = gather(query, run, coverage);
    long end = give(page, rows, given);
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
    if (!query.readsItems()) {
      var rows = new RowLog(space.ofQuery(run::look), memoryBytes);
      query.run(List.of(), run.parameters).forEach(row -> rows.append(Json.write(row)));
      return rows;
    }
    try (var _ = room.enter(run, coverage.key() != null)) {
      return new GatheredQuery(
              run, coverage.shards(run.container.map()), space.ofQuery(run::look), memoryBytes)
          .rows(query);
    }
  }

  @Override
  public void close() {
    results.close();
  }
}
