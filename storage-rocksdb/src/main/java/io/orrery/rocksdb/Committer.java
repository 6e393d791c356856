package io.orrery.rocksdb;

import io.orrery.rocksdb.PartitionState.Settled;
import io.orrery.storage.CommitResult;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.CommitWatch;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer. One thread takes what waits, of all partitions, and writes it as one synced
 * write; while the disk works, the next group gathers in a {@link CommitQueue}.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final long REOPEN_EVERY_MILLIS = 500;

  private final RocksStorage storage;
  private final Writer writer;
  private final WriteOptions options;
  private final Thread thread;
  private final CommitQueue waiting = new CommitQueue(); // callers wait
  private final CommitWatch watch = new CommitWatch();
  private volatile boolean stopping;
  private volatile boolean stopped;

  private volatile @Nullable String trouble;
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong groups = new AtomicLong();

  /** The native write; a test puts one in its place that fails on cue. */
  interface Writer {
    void write(Instance instance, WriteOptions options, WriteBatch batch) throws RocksDBException;
  }

  Committer(RocksStorage storage, boolean sync, Writer writer) {
    this.storage = storage;
    this.writer = writer;
    options = new WriteOptions().setSync(sync);
    thread = Thread.ofPlatform().name("rocksdb-committer").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  CommitResult commit(RocksStore store, @Nullable Head expected, Head next, RocksBatch bytes) {
    var answer = new CompletableFuture<CommitResult>();
    return await(new Request.Commit(store, expected, Settled.live(next), bytes, answer), answer);
  }

  /** Returns whether the partition may be loaded. */
  boolean mark(RocksStore store) {
    var answer = new CompletableFuture<Boolean>();
    return await(new Request.Mark(store, answer), answer);
  }

  void drop(RocksStore store) {
    var answer = new CompletableFuture<Boolean>();
    await(new Request.Drop(store, answer), answer);
  }

  /**
   * Deletes the entries of a dropped partition in files that it shares, and its record; does not
   * wait. If the storage closes before, the next opening does it.
   */
  void free(PartitionId id) {
    submit(new Request.Free(id, new CompletableFuture<>()));
  }

  void alone(Request.Work work) {
    var answer = new CompletableFuture<Boolean>();
    await(new Request.Alone(work, answer), answer);
  }

  long commits() {
    return commits.get();
  }

  long groups() {
    return groups.get();
  }

  /** Whether a write runs for more than a second, or the last one did and ended just now. */
  boolean isSlow() {
    return watch.isSlow();
  }

  /** Why no commits are taken; null while they are. */
  @Nullable String trouble() {
    return trouble;
  }

  /** How many requests wait for the next group. */
  int waiting() {
    return waiting.size();
  }

  /** Finishes what waits, then ends the thread. */
  void stop() {
    stopping = true;
    waiting.add(new Request.Alone(instance -> {}, new CompletableFuture<>())); // wakes it up
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits without regard to interruption: a commit that was handed over cannot be taken back. */
  private <T> T await(Request request, CompletableFuture<T> answer) {
    submit(request);
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw switch (e.getCause()) {
        case StorageFault fault -> new StorageFault(String.valueOf(fault.getMessage()), fault);
        case CommitUndecided fault ->
            new CommitUndecided(String.valueOf(fault.getMessage()), fault);
        case null, default -> e;
      };
    }
  }

  private void submit(Request request) {
    if (!stopping) {
      waiting.add(request);
      if (!stopped || !waiting.remove(request)) {
        return;
      }
    }
    request.answer().completeExceptionally(new StorageFault("Storage is closed"));
  }

  private void run() {
    try (options) {
      while (!stopping || !waiting.isEmpty()) {
        serve(waiting.take());
      }
    } catch (InterruptedException e) {
      LOG.error("The committer was interrupted and takes no more commits", e);
    } finally {
      stopped = true;
      refuseWaiting(new StorageFault("Storage is closed"));
    }
  }

  private void serve(List<Request> requests) {
    var group = new Group(storage.instanceToFinish());
    Request.@Nullable Alone alone = null;
    for (Request request : requests) {
      switch (request) {
        case Request.Write write -> add(group, write);
        case Request.Alone work -> alone = work;
      }
    }
    write(group);
    if (alone != null) {
      run(alone);
    }
  }

  private static void add(Group group, Request.Write request) {
    try {
      group.add(request);
    } catch (RocksDBException | RuntimeException e) {
      request.answer().completeExceptionally(fault("Commit was not tried", e));
    }
  }

  private void run(Request.Alone alone) {
    try {
      alone.work().run(storage.instanceToFinish());
      alone.answer().complete(true);
    } catch (RocksDBException | RuntimeException e) {
      alone.answer().completeExceptionally(e instanceof StorageFault ? e : fault("Failed", e));
    }
  }

  private void write(Group group) {
    if (!group.writesNothing()) {
      watch.begin();
      boolean written = isWritten(group);
      watch.end();
      if (!written) {
        return;
      }
      commits.addAndGet(group.commits());
      groups.incrementAndGet();
      group.settle();
    }
    group.answer();
  }

  /** False when the write failed; then everybody has been answered. */
  private boolean isWritten(Group group) {
    var instance = storage.instanceToFinish();
    try (var batch = new WriteBatch(group.joined(storage.seal()))) {
      group.move(instance.db.getLatestSequenceNumber());
      writer.write(instance, options, batch);
      return true;
    } catch (RocksDBException | RuntimeException | OutOfMemoryError e) {
      recover(group, e);
      return false;
    }
  }

  /**
   * A failed write may or may not have reached the disk. Opening again replays the log, or not, and
   * writes what it found to new files, so that its answer lasts; until then nobody is answered.
   */
  private void recover(Group group, Throwable cause) {
    LOG.warn("A write failed; opening the database again to see what happened", cause);
    storage.instanceToFinish().close();
    while (true) {
      boolean happened;
      try {
        happened = decide(group, storage.reopen());
      } catch (RocksDBException | RuntimeException | InternalError e) {
        // Reads of logs, their directory and mapped files fail with any of these on a failing disk.
        if (!String.valueOf(e.getMessage()).equals(trouble)) {
          trouble = String.valueOf(e.getMessage());
          LOG.error("The database cannot be opened; no commits are taken, trying again", e);
        }
        if (!pause(e)) {
          group.forget();
          group.fail(
              new CommitUndecided("Storage was closed before a failed write was decided", e));
          return;
        }
        continue;
      }
      trouble = null;
      LOG.warn("Opened again; the failed write happened={}", happened);
      answer(group, happened, cause);
      return;
    }
  }

  private void answer(Group group, boolean happened, Throwable cause) {
    if (happened) {
      commits.addAndGet(group.commits());
      groups.incrementAndGet();
      group.answer();
    } else {
      group.fail(fault("Write failed and was undone", cause));
    }
  }

  private boolean decide(Group group, Instance reopened) throws RocksDBException {
    try {
      boolean happened = group.happenedIn(reopened);
      List<PartitionId> freeing = reopened.freeing();
      group.end(happened);
      storage.resume(reopened, freeing);
      return happened;
    } catch (RocksDBException | RuntimeException | InternalError e) {
      reopened.close();
      throw e;
    }
  }

  /** Turns everybody away for a moment; false when the storage is being closed. */
  private boolean pause(Throwable cause) {
    var refusal =
        new StorageFault(
            "Storage takes no commits: a write failed and the database cannot be opened again."
                + " Free disk space or mend the disk; it is tried every "
                + REOPEN_EVERY_MILLIS
                + " ms. Cause: "
                + cause.getMessage(),
            cause);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REOPEN_EVERY_MILLIS);
    while (!stopping) {
      try {
        var request = waiting.poll(until);
        if (request == null) {
          return true;
        }
        request.answer().completeExceptionally(refusal);
      } catch (InterruptedException e) {
        return false;
      }
    }
    return false;
  }

  private void refuseWaiting(StorageFault fault) {
    waiting.takeAll().forEach(request -> request.answer().completeExceptionally(fault));
  }

  private static StorageFault fault(String what, Throwable cause) {
    return new StorageFault(what + ": " + cause.getMessage(), cause);
  }
}
