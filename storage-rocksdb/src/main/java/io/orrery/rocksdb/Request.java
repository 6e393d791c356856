package io.orrery.rocksdb;

import io.orrery.rocksdb.PartitionState.Settled;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** What the committer is asked to do; whoever asked waits for the answer. */
sealed interface Request {

  CompletableFuture<?> answer();

  /** Requests that change the disk and share one synced write with their neighbours. */
  sealed interface Write extends Request {}

  /** A conditional commit; its bytes include the new head. */
  record Commit(
      RocksStore store,
      @Nullable Head expected,
      Settled next,
      RocksBatch bytes,
      CompletableFuture<CommitResult> answer)
      implements Write {}

  /** Makes the partition exist before its entries are loaded. */
  record Mark(RocksStore store, CompletableFuture<Boolean> answer) implements Write {}

  /** Answers whether there was something to drop. */
  record Drop(RocksStore store, CompletableFuture<Boolean> answer) implements Write {}

  /** Removes what a dropped partition has left behind in files that it shares with others. */
  record Free(PartitionId id, CompletableFuture<Boolean> answer) implements Write {}

  /** Work that may not run beside a write. */
  record Alone(Work work, CompletableFuture<Boolean> answer) implements Request {}

  /** Work on the open instance. */
  interface Work {
    void run(Instance instance) throws RocksDBException;
  }
}
