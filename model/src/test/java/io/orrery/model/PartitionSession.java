package io.orrery.model;

import io.orrery.operation.StoredItem;
import io.orrery.partition.Transaction;
import io.orrery.partition.TransactionStale;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A transaction of a partition. */
final class PartitionSession implements Driver.Session {
  private final Transaction transaction;
  private final Executor threads;
  private final List<Version.Stamp> written = new ArrayList<>();

  PartitionSession(Transaction transaction, Executor threads) {
    this.transaction = transaction;
    this.threads = threads;
  }

  @Override
  public long lsn() {
    return transaction.lsn();
  }

  @Override
  public @Nullable Result execute(Request request) {
    try {
      var outcome = transaction.execute(PartitionTasks.task(request)).outcome();
      Result result = PartitionTasks.result(outcome);
      if (result instanceof Result.Written(boolean created, Version version)) {
        written.add(version.stamp());
      }
      return result;
    } catch (TransactionStale stale) {
      return null;
    }
  }

  @Override
  public CompletableFuture<Driver.@Nullable Commit> commit() {
    var done = new CompletableFuture<Driver.@Nullable Commit>();
    threads.execute(() -> commit(done));
    return done;
  }

  private void commit(CompletableFuture<Driver.@Nullable Commit> done) {
    try {
      done.complete(
          transaction.commit() instanceof io.orrery.partition.Commit.Done(long lsn, var items)
              ? new Driver.Commit(lsn, versions(items))
              : null);
    } catch (TransactionStale stale) {
      done.complete(null);
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  private Map<Version.Stamp, Version> versions(Map<io.orrery.operation.Etag, StoredItem> items) {
    var versions = new HashMap<Version.Stamp, Version>();
    for (Version.Stamp stamp : written) {
      StoredItem item = items.get(Items.etag(stamp));
      if (item != null) {
        versions.put(stamp, Items.version(item));
      }
    }
    return versions;
  }

  @Override
  public void close() {
    transaction.close();
  }
}
