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

  /** The values of a query over a key, or over all where it is null, in pages of so many. */
  Rows<String> query(Look look, @Nullable String key, int pageRows);

  /** All items in order of insertion. */
  Rows<Version> feed(@Nullable String key);

  /** The history of all versions after an LSN, read in pages; null when some of it is trimmed. */
  @Nullable Map<Long, Logged> history(long after, int pageItems);

  /** The latest versions of what has changed after an LSN, in order, read in pages. */
  Rows<Version> latest(long after, int pageItems);

  /** The last LSN. */
  long lsn();

  void index(int policy);

  void timeToLive(@Nullable Integer seconds);

  /** Begins to remove what has expired. */
  void expire();

  /** Begins to remove history that is older than its retention. */
  void trim();

  long retentionSeconds();

  /** Whether a query sees one state from its beginning to its end. */
  boolean isRepeatable();

  /** Does something before each read of this thread; null ends that. */
  void beforeReads(@Nullable Runnable work);

  /** Does something once, while a group is evaluated; null ends the waiting for that. */
  void whileWriting(@Nullable Runnable work);

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
