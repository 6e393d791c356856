package io.orrery.model;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries requests to what is tested; the one place that knows its interfaces. */
interface Driver extends AutoCloseable {

  /** An answer and the LSN that it names. */
  record Answer(Result result, long lsn) {}

  /** Rows and the LSN at which they were found. */
  record Rows<T>(List<T> rows, long lsn) {}

  /** Asks; the answer comes while others ask. */
  CompletableFuture<Answer> ask(Request request);

  /** Asks; all that is asked behind it becomes one group, until it is released. */
  CompletableFuture<Answer> hold(Request first);

  void release();

  Session begin(String key);

  /** The values of a query over a key, or over all where it is null. */
  Rows<String> query(Look look, @Nullable String key);

  /** All items in order of insertion. */
  Rows<Version> feed(@Nullable String key);

  /** The history of all versions behind an LSN. */
  Map<Long, Logged> history(long after);

  /** The latest versions of what has changed behind an LSN, in order. */
  Rows<Version> latest(long after);

  /** The last LSN. */
  long lsn();

  void index(int policy);

  void timeToLive(@Nullable Integer seconds);

  /** Begins to remove what has expired. */
  void expire();

  /** Stops and starts what is tested. */
  void reopen();

  /** Waits until no upkeep is left. */
  void settle();

  /** What stored entries say that contradicts the items, while nothing is asked. */
  List<String> audit();

  @Override
  void close();

  /** A transaction. */
  interface Session extends AutoCloseable {
    long lsn();

    /** Null when it has to be begun again. */
    @Nullable Result execute(Request request);

    /**
     * The LSN and the versions of what was written, by their provisional stamps; completes with
     * null when others were in the way.
     */
    CompletableFuture<@Nullable Commit> commit();

    @Override
    void close();
  }

  record Commit(long lsn, Map<Version.Stamp, Version> versions) {}
}
