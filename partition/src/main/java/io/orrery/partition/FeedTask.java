package io.orrery.partition;

import io.orrery.query.QueryBudget;

/**
 * Which page of a feed is wanted: items with counters above {@code afterCounter}, in order.
 *
 * @param budget what the page may use; the items that it gives stay in it
 */
public record FeedTask(
    FeedSlice slice, long afterCounter, int maxItems, int maxBytes, QueryBudget budget) {

  /** A page that no request waits for. */
  public FeedTask(FeedSlice slice, long afterCounter, int maxItems, int maxBytes) {
    this(slice, afterCounter, maxItems, maxBytes, QueryBudget.unaccounted());
  }
}
