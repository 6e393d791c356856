package io.orrery.partition;

/** What can be asked for the rows of a query: what is committed, or what a transaction sees. */
public interface QuerySource {

  /**
   * Does a stretch of work for a query; blocks while it reads.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   * @throws TransactionStale when a transaction has to run again
   * @throws io.orrery.query.syntax.QueryRefused when the query cannot be answered
   */
  QueryChunk query(QueryTask task);
}
