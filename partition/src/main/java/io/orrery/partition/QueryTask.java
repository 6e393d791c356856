package io.orrery.partition;

import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.index.IndexedQuery;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of work for a query on one partition.
 *
 * @param containerRid names the container in the items' system properties
 * @param after where to go on; null at the beginning
 * @param maxBytes of JSON, but at least one row is given
 * @param deadlineNanos by {@link System#nanoTime}; work already begun is finished
 */
public record QueryTask(
    IndexedQuery asked,
    String containerRid,
    FeedSlice slice,
    Want want,
    @Nullable RowPosition after,
    int maxRows,
    int maxBytes,
    long deadlineNanos) {

  public CompiledQuery query() {
    return asked.query();
  }

  public Parameters parameters() {
    return asked.parameters();
  }

  long firstCounter() {
    return after == null ? 0 : after.firstCounter();
  }
}
