package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates and commits groups, one after the other on one thread, and knows what the last one has
 * left; that much others may look at.
 */
final class GroupCommits {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommits.class);
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final PartitionStore store;
  private final Consumer<Left> watcher;
  private final TurnWatch watch;
  private final PathCounts counts = new PathCounts();
  private final long epoch;

  /** The last transaction that another process can have done. */
  private final long claimed;

  private final Lease lease;
  private final LongTurns turns = new LongTurns();
  private final CommitMemory memory = new CommitMemory();

  /** The next document sequence that nobody has yet. */
  private final AtomicLong documents;

  private volatile PartitionSettings settings;
  private volatile Left left;
  private boolean indexSaved;

  /**
   * What a commit leaves behind.
   *
   * @param version of the head
   * @param expired items removed because their time was over, since the beginning
   */
  record Left(
      long version, long lsn, Markers markers, IndexState index, Sizes sizes, long expired) {

    /** The same at a later head. */
    Left at(Head head) {
      return new Left(head.version(), head.lsn(), markers, index, sizes, expired);
    }
  }

  /** What a group does between reading the head and committing. */
  interface Evaluation {
    void run(WriteGroup group, GroupState state);

    /**
     * Drops what the last run made: there is no memory for it.
     *
     * @return whether the next run writes less, which may find room at once; otherwise it waits
     */
    default boolean forget() {
      return false;
    }

    /** How long it waits for memory. */
    default Duration patience() {
      return PATIENCE;
    }

    /** What the last run made is committed. The memory of the commit is given back after this. */
    default void committed() {}
  }

  /**
   * @param watcher is given what was there before each commit, after it
   */
  GroupCommits(
      PartitionStore store,
      PartitionSettings settings,
      Claim claim,
      Markers markers,
      Consumer<Left> watcher,
      TurnWatch watch) {
    Head head = claim.head();
    this.store = store;
    this.watcher = watcher;
    this.watch = watch;
    this.settings = settings;
    this.epoch = head.epoch();
    this.claimed = head.lsn();
    this.lease = claim.lease();
    this.documents = new AtomicLong(head.nextDocument());
    this.left =
        new Left(
            head.version(),
            head.lsn(),
            markers,
            IndexState.load(store, settings),
            Sizes.load(store),
            0);
  }

  Left left() {
    return left;
  }

  PartitionSettings settings() {
    return settings;
  }

  /** Which items are there for clients at this moment, by the markers that the caller knows. */
  Visibility visibility(Markers markers) {
    TimeToLive rules = settings.timeToLive();
    // Nobody asks the time where nothing depends on it.
    return new Visibility(markers, rules, rules.isOn() ? nowSeconds() : 0);
  }

  long nowSeconds() {
    return Expire.seconds(settings.ticks().getAsLong());
  }

  void settings(PartitionSettings changed) {
    settings = changed;
  }

  /**
   * Sets a document sequence aside for an item that may be written later, or never. It is not given
   * out again even if nothing is written: transactions reserve beside the writer, so the writer
   * cannot know which of the numbers behind its own are in use.
   */
  long reserve() {
    return documents.getAndIncrement();
  }

  /**
   * Commits what the evaluation writes, if it writes anything.
   *
   * @throws PartitionMoved when the partition is served elsewhere
   * @throws CommitMemory.Full when there was no memory in time for what cannot be less
   */
  void commit(Evaluation evaluation) {
    try {
      turns.run(() -> commitUntilDone(evaluation));
      evaluation.committed();
    } finally {
      memory.giveBack();
    }
  }

  /**
   * Evaluates again as long as others commit first. True when this thread never waited: nothing was
   * written, and the reads of the snapshot are answered in this process.
   */
  private boolean commitUntilDone(Evaluation evaluation) {
    // Time, not attempts: whoever has just committed is always the faster one to commit again.
    long start = System.nanoTime();
    long before = left.version;
    do {
      try (Snapshot snapshot = store.snapshot()) {
        Head head = snapshot.head();
        if (head == null || head.state() == Head.State.SEALED) {
          throw new PartitionMoved();
        }
        if (head.epoch() != epoch) {
          lease.lost();
          throw new PartitionMoved();
        }
        if (head.version() != left.version) {
          reload(head);
        }
        if (isDone(evaluation, snapshot, head)) {
          return left.version == before && snapshot.isRepeatable();
        }
      }
      if (memory.isWanted()) {
        if (evaluation.forget()) {
          memory.forgo();
        } else {
          awaitMemory(evaluation.patience());
          start = System.nanoTime();
        }
      }
    } while (System.nanoTime() - start < PATIENCE.toNanos());
    throw new StorageFault(
        "Others kept changing partition "
            + store.id().value()
            + (" for " + PATIENCE.toSeconds() + " seconds"));
  }

  private void awaitMemory(Duration patience) {
    turns.leave();
    if (!memory.await(patience)) {
      throw new CommitMemory.Full();
    }
  }

  /** False when somebody else has committed meanwhile, or there is no memory for the commit. */
  private boolean isDone(Evaluation evaluation, Snapshot snapshot, Head head) {
    PartitionSettings present = settings;
    var state = new GroupState(snapshot);
    counts.begin();
    var indexed = new IndexEntries(state.batch(), counts, left.index);
    // The bare clock, as for readers: a commit made while it was ahead must not end items early.
    long now = Expire.seconds(present.ticks().getAsLong());
    var seen = new Visibility(left.markers, present.timeToLive(), now);
    var entries = new ItemEntries(present, state, indexed, seen, left.sizes);
    var group = new WriteGroup(present, state, head, entries, this::reserve, claimed);
    // Where reads repeat they are answered in this process, on this thread.
    watch.measure(!snapshot.isRepeatable(), () -> evaluation.run(group, state));
    boolean idle = group.batch().entries() == 0 && !group.isSealed();
    // Without a lease a refusal, too, needs a commit to be known as true.
    if (idle) {
      return lease.isValid() || isTouched(head);
    }
    if (!memory.tryTake(group.batch().changedBytes())) {
      return false;
    }
    if (!indexSaved) {
      indexed.change(indexed.state());
    }
    if (!entries.sizes().equals(left.sizes)) {
      state.put(Keys.sizes(), entries.sizes().encode());
    }
    counts.finish(snapshot, state.batch());
    long began = System.nanoTime();
    return switch (commit(head, group.next(), group.batch())) {
      case CommitResult.Committed _ -> {
        lease.renewed(began);
        counts.committed();
        indexSaved = true;
        Left before = left;
        left =
            new Left(
                group.next().version(),
                group.lsn(),
                group.markers(),
                indexed.state(),
                entries.sizes(),
                before.expired + group.expired());
        tellWatcher(before);
        yield true;
      }
      case CommitResult.Refused _ -> false;
    };
  }

  private CommitResult commit(Head head, Head next, Batch batch) {
    turns.leave();
    return store.commit(head, next, batch);
  }

  /** What is committed stays so, whatever becomes of those who watch. */
  private void tellWatcher(Left before) {
    try {
      watcher.accept(before);
    } catch (RuntimeException e) {
      LOG.error("What follows a commit of partition {} failed", store.id().value(), e);
    }
  }

  /** Commits nothing, which shows that nobody else has; false when somebody has. */
  private boolean isTouched(Head head) {
    long began = System.nanoTime();
    Head next = Claim.under(head, epoch, head.state());
    return switch (commit(head, next, new Batch())) {
      case CommitResult.Committed _ -> {
        lease.renewed(began);
        left = left.at(next);
        yield true;
      }
      case CommitResult.Refused _ -> false;
    };
  }

  /** The last transaction that another process can have done. */
  long claimed() {
    return claimed;
  }

  boolean hasLease() {
    return lease.isValid();
  }

  void endLease() {
    lease.end();
  }

  /** Sees what another process has committed, at least up to a version. */
  synchronized void catchUp(long version) {
    store.expect(version);
    Head head = Claim.serving(store);
    if (head.version() != left.version) {
      reload(head);
    }
  }

  /** Somebody else committed: what was read may be old, markers included. */
  private void reload(Head head) {
    left =
        new Left(
            head.version(),
            head.lsn(),
            Markers.load(store),
            IndexState.load(store, settings),
            Sizes.load(store),
            left.expired);
    indexSaved = false;
    counts.forget();
    documents.accumulateAndGet(head.nextDocument(), Math::max);
  }
}
