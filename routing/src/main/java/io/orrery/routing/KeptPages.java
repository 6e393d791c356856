package io.orrery.routing;

import io.orrery.operation.Operation.QueryItems;
import io.orrery.operation.Refusal;
import io.orrery.query.CompiledQuery;
import io.orrery.value.Json;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pages of queries that must see all items before their first row. */
final class KeptPages implements AutoCloseable {
  /** So many may gather at once: each takes memory. */
  private static final int GATHERING_MAX = 4;

  private final Continuations continuations;
  private final long memoryBytes;
  private final SpillSpace space;
  private final KeptResults results = new KeptResults();
  private final Semaphore gathering = new Semaphore(GATHERING_MAX);

  KeptPages(Continuations continuations, QuerySettings settings) {
    this.continuations = continuations;
    this.memoryBytes = settings.memoryBytes();
    this.space = new SpillSpace(settings.directory(), settings.directoryBytes());
  }

  /** Fills the page and tells where to go on; null at the end. */
  @Nullable String fill(
      QueryGathering page,
      QueryItems request,
      CompiledQuery query,
      QueryRun run,
      QueryCoverage coverage) {
    String feed = "result " + run.container.rid() + ' ' + nameOf(request);
    String continuation = request.page().continuation();
    if (continuation == null) {
      return begin(page, query, run, coverage, feed, 0);
    }
    if (!(QueryToken.parse(continuations.open(feed, continuation))
        instanceof QueryToken.Kept(long id, long given))) {
      throw Continuations.invalid();
    }
    RowLog rows = results.find(id, feed);
    if (rows != null) {
      run.probe(coverage.range(run.container.map()));
      try {
        return more(page, rows, id, given, feed);
      } catch (UncheckedIOException closedMeanwhile) {
        results.drop(id);
      }
    }
    return begin(page, query, run, coverage, feed, given);
  }

  private @Nullable String begin(
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
    long id = results.keep(feed, rows);
    return continuations.seal(feed, new QueryToken.Kept(id, end).text());
  }

  private @Nullable String more(
      QueryGathering page, RowLog rows, long id, long given, String feed) {
    long end = give(page, rows, given);
    // The last page stays too: a client may ask for it again.
    return end >= rows.size()
        ? null
        : continuations.seal(feed, new QueryToken.Kept(id, end).text());
  }

  private static long give(QueryGathering page, RowLog rows, long from) {
    rows.each(from, page::add);
    return from + page.rows().size();
  }

  private RowLog gather(CompiledQuery query, QueryRun run, QueryCoverage coverage) {
    if (!query.readsItems()) {
      var rows = new RowLog(space, memoryBytes);
      query.run(List.of(), run.parameters).forEach(row -> rows.append(Json.write(row)));
      return rows;
    }
    try {
      if (!gathering.tryAcquire(1, 60, TimeUnit.SECONDS)) {
        throw new Refused(
            new Refusal.Unavailable("Too many queries sort or group at once; try again"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(new Refusal.Unavailable("The server is stopping"));
    }
    try {
      return new GatheredQuery(run, coverage.shards(run.container.map()), space, memoryBytes)
          .rows(query);
    } finally {
      gathering.release();
    }
  }

  /** The same for the same query with the same parameters over the same scope. */
  private static String nameOf(QueryItems request) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(request.query().text().getBytes(StandardCharsets.UTF_8));
      new TreeMap<>(request.query().parameters())
          .forEach(
              (name, value) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(value.bytes().array());
              });
      digest.update(request.scope().toString().getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    results.close();
  }
}
