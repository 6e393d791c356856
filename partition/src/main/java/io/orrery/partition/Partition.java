package io.orrery.partition;

import io.orrery.operation.Activity;
import io.orrery.operation.Bytes;
import io.orrery.operation.Mark;
import io.orrery.operation.Memory;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One physical partition: a range of effective partition keys, its items and their log. Writes go
 * through one {@link Writer}; reads go straight to what is committed.
 */
public final class Partition implements QuerySource, AutoCloseable {
  /** How long others may be kept waiting by a transaction, and how long it may wait for that. */
  static final Duration ALONE_MAX = Duration.ofSeconds(5);

  private final PartitionStore store;
  private final Writer writer;
  private final PointReader points;
  private final FeedReader feeds;
  private final QueryReader queries;
  private final ChangeReader changes;
  private final Freshness freshness;
  private final ConditionalWrites conditional;

  private Partition(PartitionStore store, Writer writer, CounterHints hints, Freshness freshness) {
    this.store = store;
    this.writer = writer;
    this.points = new PointReader(store, writer, hints);
    this.feeds = new FeedReader(store, writer);
    this.queries = new QueryReader(store, writer);
    this.changes = new ChangeReader(store, writer);
    this.freshness = freshness;
    this.conditional = new ConditionalWrites(this, writer);
  }

  /** Brings a new partition into being by its first head, at a time in ticks. */
  public static void create(PartitionStore store, long ticks) {
    var first = new Head(1, 0, 0, Head.State.OPEN, ticks, 1, Keys.SCHEMA, CommitId.random());
    if (store.commit(null, first, new Batch()) instanceof CommitResult.Refused) {
      throw new StorageFault("Partition " + store.id().value() + " exists already");
    }
  }

  /**
   * Opens a partition to serve it, taken over from others where there are some, and takes up what
   * upkeep was under way.
   *
   * @param hints shared by all partitions of a database
   * @param growth is told when the partition passes the limit of its storage
   * @throws PartitionMoved when it is not there or sealed
   */
  public static Partition open(
      PartitionStore store,
      PartitionSettings settings,
      CounterHints hints,
      GrowthListener growth,
      Tenure tenure) {
    return open(store, settings, hints, growth, tenure, Memory.process());
  }

  /** The same with an account of memory that is not that of the process. */
  static Partition open(
      PartitionStore store,
      PartitionSettings settings,
      CounterHints hints,
      GrowthListener growth,
      Tenure tenure,
      Memory memory) {
    Claim claim = Claim.take(store, tenure);
    Markers markers = Markers.load(store);
    var writer = new Writer(store, settings, claim, markers, growth, memory);
    writer.chores().sweepIfNeeded();
    return new Partition(
        store, writer, hints, tenure.isSole() ? Freshness.sole(writer) : Freshness.leased(writer));
  }

  /**
   * Opens a partition that another process serves, for reading alone: whoever writes is told that
   * it has moved.
   *
   * @throws PartitionMoved when it is not there or sealed
   */
  public static Partition visit(
      PartitionStore store, PartitionSettings settings, CounterHints hints, Visit visit) {
    Claim claim = Claim.visit(store);
    var writer =
        new Writer(store, settings, claim, Markers.load(store), () -> {}, Memory.process());
    return new Partition(store, writer, hints, Freshness.visiting(writer, visit));
  }

  /** The version of the last commit here, if nobody else can have committed since; blocks. */
  public long acknowledged() {
    return freshness.read(() -> writer.left().version());
  }

  /** Takes over what has changed in the container's definition. */
  public void settings(PartitionSettings settings) {
    writer.settings(settings);
  }

  /** Does a task that nobody else can have been asked for. */
  public void execute(ItemTask task, PartitionReply reply) {
    execute(task, null, Runnable::run, reply);
  }

  /**
   * Does the task, if it was not done yet: reads on this thread, what is conditional where there is
   * time to compute, everything else in the writer's next group.
   *
   * @param mark null where nobody else can have been asked for it
   * @param computing for work that takes long
   */
  public void execute(
      ItemTask task, @Nullable Mark mark, Executor computing, PartitionReply reply) {
    if (task instanceof ItemTask.Read read) {
      answer(() -> read(read), reply);
    } else if (task.isConditional()) {
      Runnable work = () -> answer(() -> conditional.run(task, mark, reply::isCancelled), reply);
      Runnable inActivity = () -> Activity.run(reply.activityId(), work);
      Refusal refusal = writer.waitingWrites().compute(task, computing, inActivity);
      if (refusal != null) {
        reply.answer(new PartitionAnswer(refusal, RequestCharge.NONE, lsn(), lsn()));
      }
    } else {
      byte[] logical = Keys.logicalPartition(task.key().epk(), task.key().key());
      writer.submit(task, Bytes.of(logical), mark, reply);
    }
  }

  /**
   * Reads an item; blocks while it does.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  public PartitionAnswer read(ItemTask.Read task) {
    byte[] logical = Keys.logicalPartition(task.key().epk(), task.key().key());
    return freshness.read(() -> points.read(task, logical));
  }

  /**
   * A page of items in order of insertion; blocks while it reads.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  public FeedPage readFeed(FeedTask task) {
    return freshness.read(() -> feeds.read(task));
  }

  /**
   * Changes in the order of transactions; blocks while it reads.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  public Changes readChanges(ChangeTask task) {
    return freshness.read(() -> changes.read(task));
  }

  @Override
  public QueryChunk query(QueryTask task) {
    return freshness.read(() -> queries.query(task));
  }

  /**
   * Begins a transaction in a logical partition; others may write beside it.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   */
  public Transaction begin(LogicalKey key) {
    return begin(key, null, false);
  }

  /** The same for tasks that have drawn the memory of their commit. */
  Transaction beginDrawn(LogicalKey key, boolean alone) {
    return begin(key, alone ? take(key, ALONE_MAX) : null, true);
  }

  /**
   * Begins a transaction that has its logical partition for itself: other writers wait until it is
   * closed, but not longer than five seconds. Blocks until those that came before are done.
   *
   * @throws TransactionStale when that takes longer than five seconds
   * @throws PartitionMoved when the range is served elsewhere now
   */
  public Transaction beginAlone(LogicalKey key) {
    return beginAlone(key, ALONE_MAX);
  }

  Transaction beginAlone(LogicalKey key, Duration patience) {
    return begin(key, take(key, patience), false);
  }

  private Hold take(LogicalKey key, Duration patience) {
    var logical = Bytes.of(Keys.logicalPartition(key.epk(), key.key()));
    Hold hold = writer.take(logical, patience);
    CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> writer.giveBack(hold));
    return hold;
  }

  private Transaction begin(LogicalKey key, @Nullable Hold hold, boolean drawn) {
    Snapshot snapshot = null;
    try {
      snapshot = freshness.read(store::snapshot);
      return new Transaction(writer, key, snapshot, hold, drawn);
    } catch (RuntimeException | Error e) {
      if (snapshot != null) {
        snapshot.close();
      }
      if (hold != null) {
        writer.giveBack(hold);
      }
      throw e;
    }
  }

  /** How many of a hundred parts of the items are indexed as their container's policy says. */
  public int indexProgress() {
    return writer.indexProgress();
  }

  /** Begins to remove items whose time is over; costs next to nothing when there are none. */
  public void expire() {
    writer.chores().expire();
  }

  /** Begins to remove history that nobody needs any more, also where nobody writes. */
  public void trim() {
    writer.chores().trim();
  }

  /** How many writes wait for the writer; costs the more the more there are. */
  int waitingWrites() {
    return writer.waiting();
  }

  /** How many conditional writes wait until others are decided. */
  int waitingConditions() {
    return conditional.waiting();
  }

  public Sizes sizes() {
    return writer.left().sizes();
  }

  /** How many items were removed since it was opened because their time was over. */
  public long expired() {
    return writer.left().expired();
  }

  /** How many items maintenance could not read, as far as it has looked. */
  public int quarantined() {
    return writer.chores().quarantine().size();
  }

  /**
   * Lets upkeep wait while the partition is copied; blocks.
   *
   * @return whether that was possible: not while items move to another index policy
   * @throws PartitionMoved when it is closed
   */
  public boolean pauseUpkeep() {
    return writer.pauseUpkeep();
  }

  /** Whether the items of both have entries by one policy; stays so while upkeep waits in both. */
  public boolean isIndexedAs(Partition other) {
    return writer.index().policy().equals(other.writer.index().policy());
  }

  public void resumeUpkeep() {
    writer.resumeUpkeep();
  }

  /**
   * Ends reading and writing here, after everything that came before; blocks. Tells the last LSN.
   */
  public long seal() {
    return writer.seal();
  }

  /**
   * Takes back a {@link #seal} of this tenure, not one of those who have taken over since; whoever
   * opens the partition afterwards can write again.
   */
  public static void unseal(PartitionStore store, Tenure tenure) {
    reopen(store, tenure, head -> tenure.epoch(head.epoch()) == head.epoch());
  }

  /** Takes back what somebody left who came to an end, and ends his tenure. */
  public static void recover(PartitionStore store, Tenure tenure) {
    reopen(store, tenure, head -> true);
  }

  private static void reopen(PartitionStore store, Tenure tenure, Predicate<Head> own) {
    Head head;
    try (Snapshot snapshot = store.snapshot()) {
      head = snapshot.head();
    }
    if (head == null || !own.test(head)) {
      return;
    }
    long epoch = tenure.epoch(head.epoch());
    boolean handedOver = epoch != head.epoch();
    Duration wait = handedOver ? tenure.dismiss(store.id(), head.epoch()) : Duration.ZERO;
    // Also where nothing seems to be left to do: engines may answer with a head from the past.
    boolean due = head.state() == Head.State.SEALED || !tenure.isSole();
    if (due
        && store.commit(head, Claim.under(head, epoch, Head.State.OPEN), new Batch())
            instanceof CommitResult.Refused) {
      throw new StorageFault("Partition " + store.id().value() + " was opened by somebody else");
    }
    Claim.sleep(wait);
  }

  /** The head by which a partition changes hands, with nothing else. */
  public static Head handedOver(Head head, Tenure tenure) {
    return Claim.under(head, tenure.epoch(head.epoch()), head.state());
  }

  /** The last transaction committed here. */
  public long lsn() {
    return writer.lsn();
  }

  @Override
  public void close() {
    writer.close();
    // Whoever serves it next may commit at once: reads that still run must not count.
    writer.commits().endLease();
  }

  private void answer(Supplier<PartitionAnswer> work, PartitionReply reply) {
    PartitionAnswer answer;
    try {
      answer = work.get();
    } catch (PartitionMoved e) {
      reply.moved();
      return;
    } catch (StorageFault e) {
      answer = PartitionAnswer.unavailable(e, writer.lsn());
    } catch (RuntimeException | Error e) {
      reply.fault(e);
      return;
    }
    reply.answer(answer);
  }
}
