package io.orrery.partition;

import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
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
    CompiledQuery query,
    Parameters parameters,
    String containerRid,
    FeedSlice slice,
    Want want,
    @Nullable RowPosition after,
    int maxRows,
    int maxBytes,
    long deadlineNanos) {

  long firstCounter() {
    return after == null ? 0 : after.firstCounter();
  }
}
