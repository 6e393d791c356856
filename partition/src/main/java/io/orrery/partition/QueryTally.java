package io.orrery.partition;

/** Work counted while it is done; belongs to one query. */
final class QueryTally {
  long retrievedCount;
  long retrievedBytes;
  long outputCount;
  long outputBytes;
  long indexEntriesRead;
  long planNanos;
  long indexNanos;
  long loadNanos;
  long runNanos;
  long steps;

  QueryWork work() {
    return new QueryWork(
        retrievedCount,
        retrievedBytes,
        outputCount,
        outputBytes,
        indexEntriesRead,
        planNanos,
        indexNanos,
        loadNanos,
        runNanos,
        steps);
  }
}
