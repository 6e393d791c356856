package io.orrery.partition;

import io.orrery.operation.Activity;
import io.orrery.operation.Bytes;
import io.orrery.operation.Mark;
import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Vitals;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of a partition. Tasks wait in a queue; while one group is being committed the
 * next one gathers. Nobody but the thread that runs the groups touches the state behind them.
 */
final class Writer {
  /** What a group may read and keep in memory. */
  static final long GROUP_BYTES_MAX = 4 << 20;

  /**
   * A commit takes no further write once it has so much: commits of other partitions wait for the
   * disk behind it. One batch alone may be larger.
   */
  static final long COMMIT_BYTES_MAX = 1 << 20;

  /** The next task may bring forty thousand more: what an item has, may have and is counted in. */
  static final int GROUP_ENTRIES_MAX = 8_000;

  private final PartitionStore store;
  private final WorkQueue queue;
  private final WaitingWrites waiting;
  private final TurnWatch watch;
  private final GroupCommits commits;
  private final SharedGroups groups;
  private final Chores chores;
  private final GrowthWatch growth;

  private volatile boolean closed;

  Writer(
      PartitionStore store,
      PartitionSettings settings,
      Claim claim,
      Markers markers,
      GrowthListener growth,
      Memory memory) {
    this.store = store;
    this.waiting =
        new WaitingWrites(memory, Long.toString(settings.rangeNumber()), store::isStalled);
    this.queue = new WorkQueue("writer-" + store.id().value(), this::run);
    String id = Long.toString(store.id().value());
    this.watch = new TurnWatch(id, ProcessorTime::nanos, Vitals::isWarmingUp);
    this.commits = new GroupCommits(store, settings, claim, markers, this::committed, watch);
    this.groups = new SharedGroups(commits, waiting, id);
    this.growth = new GrowthWatch(growth, settings.limits().physicalPartitionBytes());
    this.chores = new Chores(store.id(), commits, this::submit);
    this.closed = claim.isVisit();
    chores.reindexIfNeeded();
  }

  PartitionSettings settings() {
    return commits.settings();
  }

  void settings(PartitionSettings changed) {
    commits.settings(changed);
    chores.settingsChanged();
  }

  /** Which policy index entries follow. */
  IndexState index() {
    return commits.left().index();
  }

  int indexProgress() {
    IndexState now = index();
    if (now.move() == null) {
      // A policy that just came has not begun to be applied.
      return now.policy().equals(settings().indexPolicy()) ? 100 : 0;
    }
    return now.progress(store);
  }

  /**
   * Which items of a snapshot are there for clients. Commits are visible to readers a moment before
   * the writer knows of them: then the snapshot says what is deleted.
   *
   * @param known taken before the snapshot, because a marker goes with the last item that it hides
   */
  Visibility visibility(GroupCommits.Left known, Snapshot snapshot, Head head) {
    boolean same = head.version() == known.version();
    return commits.visibility(same ? known.markers() : Markers.load(snapshot));
  }

  int waiting() {
    return queue.waiting();
  }

  GroupCommits commits() {
    return commits;
  }

  Chores chores() {
    return chores;
  }

  GroupCommits.Left left() {
    return commits.left();
  }

  long lsn() {
    return commits.left().lsn();
  }

  /** Commits, perhaps nothing, so that nobody else has; tells when it begins, blocks. */
  void renewLease(Runnable begun) {
    inTurn(() -> commits.commit((group, state) -> begun.run()));
  }

  /**
   * Lets upkeep wait, so that all that changes from now on stands in the history.
   *
   * @return whether that was possible: not while items move to another index policy
   */
  boolean pauseUpkeep() {
    var free = new AtomicBoolean();
    inTurn(() -> free.set(chores.pause()));
    return free.get();
  }

  void resumeUpkeep() {
    inTurn(chores::resume);
  }

  /** Ends the writing here for good, or until somebody opens the head again; tells the last LSN. */
  long seal() {
    return inTurn(() -> commits.commit((group, state) -> group.seal()));
  }

  /**
   * Runs something between two groups; blocks.
   *
   * @throws PartitionMoved when the writer is closed
   */
  private long inTurn(Runnable work) {
    var done = new CompletableFuture<Long>();
    if (closed) {
      throw new PartitionMoved();
    }
    queue.add(new Work.Turn(work, done));
    return Work.join(done);
  }

  /** Sets a document sequence aside for an item that may be written later, or never. */
  long reserve() {
    return commits.reserve();
  }

  void submit(ItemTask task, Bytes logical, @Nullable Mark mark, PartitionReply reply) {
    if (closed) {
      reply.moved();
      return;
    }
    long weight = waiting.weigh(task);
    Refusal refusal = waiting.take(queue.size(), weight);
    if (refusal != null) {
      reply.answer(new PartitionAnswer(refusal, RequestCharge.NONE, lsn(), lsn()));
    } else {
      queue.add(new Work.Client(task, logical, mark, null, weight, reply));
    }
  }

  /**
   * Does a task that has drawn its memory; blocks.
   *
   * @param hold what it has for itself; null when others may write beside it
   * @throws PartitionMoved when it belongs elsewhere now
   */
  PartitionAnswer run(ItemTask task, Bytes logical, @Nullable Mark mark, @Nullable Hold hold) {
    if (closed) {
      throw new PartitionMoved();
    }
    Refusal refusal = waiting.refusal(queue.size());
    if (refusal != null) {
      return new PartitionAnswer(refusal, RequestCharge.NONE, lsn(), lsn());
    }
    var done = new CompletableFuture<PartitionAnswer>();
    var reply = new JoinedReply(done, Activity.current());
    queue.add(new Work.Client(task, logical, mark, hold, 0, reply));
    return Work.join(done);
  }

  WaitingWrites waitingWrites() {
    return waiting;
  }

  void submit(Chore chore) {
    if (!closed) {
      queue.add(new Work.Upkeep(chore));
    }
  }

  /**
   * Writes what a transaction has gathered; blocks.
   *
   * @param drawn whether its memory was drawn when it began
   * @throws TransactionStale when something has changed that it rests on
   * @throws PartitionMoved when it belongs elsewhere now
   * @throws io.orrery.storage.StorageFault when the storage failed; nothing was done
   */
  Commit transact(PendingWrites writes, @Nullable Hold hold, boolean drawn) {
    if (closed) {
      throw new PartitionMoved();
    }
    long weight = drawn ? 0 : waiting.weigh(writes);
    int others = queue.size();
    Refusal refusal = drawn ? waiting.refusal(others) : waiting.take(others, weight);
    if (refusal != null) {
      return new Commit.Refused(refusal);
    }
    var done = new CompletableFuture<Commit>();
    queue.add(new Work.Transact(writes, hold, weight, Activity.current(), done));
    return Work.join(done);
  }

  /**
   * Keeps the other writers of a logical partition waiting until it is given back; blocks until
   * those that came before are done.
   *
   * @throws TransactionStale when that takes longer than it may
   * @throws PartitionMoved when it belongs elsewhere now
   */
  Hold take(Bytes logical, Duration patience) {
    if (closed) {
      throw new PartitionMoved();
    }
    var hold = new Hold(logical);
    var taken = new CompletableFuture<Hold>();
    queue.add(new Work.Take(hold, taken));
    try {
      return Work.join(taken.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (CompletionException e) {
      throw new TransactionStale();
    }
  }

  /** Ends the waiting of others; may be said more than once. */
  void giveBack(Hold hold) {
    queue.add(new Work.GiveBack(hold));
  }

  /** Whether nothing is written here any more. */
  boolean isClosed() {
    return closed;
  }

  /** Refuses what comes from now on and waits until what was taken is done. */
  void close() {
    closed = true;
    queue.add(new Work.Turn(queue::giveBackAll, new CompletableFuture<>()));
    queue.awaitEmpty();
  }

  private void run(List<Work> group) {
    watch.begin();
    try {
      runOf(group);
    } finally {
      watch.end(group);
    }
  }

  private void runOf(List<Work> group) {
    switch (group.getFirst()) {
      case Work.Upkeep(Chore chore) -> chores.run(chore);
      case Work.Turn(Runnable work, var done) -> runTurn(work, done);
      case Work.Take(Hold hold, var taken) -> runTake(hold, taken);
      case Work.GiveBack(Hold hold) -> queue.giveBack(hold);
      case Work.Write _ -> groups.run(group);
    }
  }

  private void runTurn(Runnable work, CompletableFuture<Long> done) {
    try {
      work.run();
      done.complete(lsn());
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  private void runTake(Hold hold, CompletableFuture<Hold> taken) {
    if (closed) {
      taken.completeExceptionally(new PartitionMoved());
      return;
    }
    queue.take(hold);
    if (!taken.complete(hold)) {
      queue.giveBack(hold); // nobody waits for it any more
    }
  }

  private void committed(GroupCommits.Left before) {
    growth.see(commits.left().sizes());
    chores.committed(before);
  }
}
