package io.orrery.partition;

import io.orrery.operation.RequestCharge;

/**
 * What a query did. All but the times are the same for the same query on the same data.
 *
 * @param retrievedCount items that were looked at
 * @param steps what the evaluation of items counted: combinations, calls, characters
 * @param indexEntriesRead entries of the index and of logical partitions
 */
public record QueryWork(
    long retrievedCount,
    long retrievedBytes,
    long outputCount,
    long outputBytes,
    long indexEntriesRead,
    long planNanos,
    long indexNanos,
    long loadNanos,
    long runNanos,
    long steps) {
  public static final QueryWork NONE = new QueryWork(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The work of a query that reads no items. */
  public static QueryWork ofSteps(long steps) {
    return new QueryWork(0, 0, 0, 0, 0, 0, 0, 0, 0, steps);
  }

  public RequestCharge charge() {
    return Charges.query(this);
  }

  public QueryWork plus(QueryWork other) {
    return new QueryWork(
        retrievedCount + other.retrievedCount,
        retrievedBytes + other.retrievedBytes,
        outputCount + other.outputCount,
        outputBytes + other.outputBytes,
        indexEntriesRead + other.indexEntriesRead,
        planNanos + other.planNanos,
        indexNanos + other.indexNanos,
        loadNanos + other.loadNanos,
        runNanos + other.runNanos,
        steps + other.steps);
  }
}
