package io.orrery.partition;

import io.orrery.operation.ChangeStart;
import io.orrery.query.QueryBudget;

/**
 * Which changes of a partition are wanted.
 *
 * @param inOrderOfTime whether later transactions are later by the clock: not where partitions with
 *     clocks of their own were merged
 * @param budget what the page may use; the changes that it gives stay in it
 */
public record ChangeTask(
    FeedSlice slice,
    ChangeStart start,
    boolean allVersions,
    boolean inOrderOfTime,
    int maxItems,
    long maxBytes,
    QueryBudget budget) {

  /** A page that no request waits for. */
  public ChangeTask(
      FeedSlice slice,
      ChangeStart start,
      boolean allVersions,
      boolean inOrderOfTime,
      int maxItems,
      long maxBytes) {
    this(slice, start, allVersions, inOrderOfTime, maxItems, maxBytes, QueryBudget.unaccounted());
  }
}
