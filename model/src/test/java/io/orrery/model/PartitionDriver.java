package io.orrery.model;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Limits;
import io.orrery.partition.Audit;
import io.orrery.partition.ChangeTask;
import io.orrery.partition.Changes;
import io.orrery.partition.CounterHints;
import io.orrery.partition.FeedPage;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.FeedTask;
import io.orrery.partition.HistoryTrimmed;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionAnswer;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.PartitionReply;
import io.orrery.partition.PartitionSettings;
import io.orrery.partition.Tenure;
import io.orrery.partition.TimeToLive;
import io.orrery.partition.UniqueKeys;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One partition over memory. */
final class PartitionDriver implements Driver {
  private static final int ALL = 1_000_000;
  private static final long PAUSE_NANOS = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration RETENTION = Duration.ofSeconds(30);
  private static final UniqueKeys UNIQUE =
      new UniqueKeys(List.of(new UniqueKeys.Paths(List.of(List.of("u")))));

  /** All of it indexed, some of it, and nothing; with an order of two paths. */
  private static final List<IndexPolicy> POLICIES =
      List.of(
          policy("{'includedPaths':[{'path':'/*'}]}"),
          policy("{'includedPaths':[{'path':'/n/?'}],'excludedPaths':[{'path':'/*'}]}"),
          policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/n/?'}]}"),
          policy("{'indexingMode':'none','automatic':false}"));

  private final boolean repeatable;
  private final GatedStore store;
  private final Clock clock;
  private final UniqueKeys unique;
  private IndexPolicy policy = POLICIES.getFirst();
  private TimeToLive timeToLive = TimeToLive.OFF;
  private Partition partition;

  PartitionDriver(boolean repeatable, boolean uniqueKeys, Clock clock) {
    this.repeatable = repeatable;
    this.clock = clock;
    this.unique = uniqueKeys ? UNIQUE : UniqueKeys.NONE;
    this.store = new GatedStore(new MemoryStorage(repeatable).open(new PartitionId(7)));
    Partition.create(store, clock.ticks());
    partition = opened();
  }

  static int policies() {
    return POLICIES.size();
  }

  private static IndexPolicy policy(String json) {
    return IndexPolicy.of(
        (Value.Obj) Json.parse(json.replace('\'', '"')), PartitionTasks.DEFINITION);
  }

  private Partition opened() {
    return Partition.open(store, settings(), new CounterHints(1 << 10), () -> {}, Tenure.SOLE);
  }

  private PartitionSettings settings() {
    return new PartitionSettings(
        1,
        PartitionTasks.DEFINITION,
        policy,
        unique,
        Limits.SEEDS,
        true,
        true,
        RETENTION,
        timeToLive,
        clock::ticks);
  }

  @Override
  public CompletableFuture<Answer> ask(Request request) {
    var answer = new CompletableFuture<Answer>();
    var reply =
        new PartitionReply() {
          @Override
          public void answer(PartitionAnswer given) {
            try {
              answer.complete(new Answer(PartitionTasks.result(given.outcome()), given.lsn()));
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            }
          }

          @Override
          public void moved() {
            answer.completeExceptionally(new PartitionMoved());
          }

          @Override
          public void fault(Throwable fault) {
            answer.completeExceptionally(fault);
          }
        };
    partition.execute(PartitionTasks.task(request), null, this::start, reply);
    return answer;
  }

  /** Runs something that may wait for the writer, and goes on when it does. */
  private void start(Runnable work) {
    Thread thread = Thread.ofVirtual().start(work);
    while (store.isShut() && thread.isAlive() && thread.getState() != Thread.State.WAITING) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public CompletableFuture<Answer> hold(Request first) {
    store.shut();
    CompletableFuture<Answer> answer = ask(first);
    store.awaitCommit();
    return answer;
  }

  @Override
  public void release() {
    store.open();
  }

  @Override
  public Session begin(String key) {
    return new PartitionSession(partition.begin(PartitionTasks.key(key)), this::start);
  }

  @Override
  public Rows<String> query(Look look, @Nullable String key, int pageRows) {
    return PartitionQueries.run(partition, look, slice(key), pageRows);
  }

  @Override
  public boolean isRepeatable() {
    return repeatable;
  }

  @Override
  public void beforeReads(@Nullable Runnable work) {
    store.beforeReads(work);
  }

  @Override
  public void whileWriting(@Nullable Runnable work) {
    store.whileWriting(work);
  }

  private static FeedSlice slice(@Nullable String key) {
    return key == null
        ? new FeedSlice.Range(EpkRange.ALL)
        : new FeedSlice.OneKey(PartitionTasks.key(key));
  }

  @Override
  public Rows<Version> feed(@Nullable String key) {
    FeedPage page = partition.readFeed(new FeedTask(slice(key), 0, ALL, Integer.MAX_VALUE));
    return new Rows<>(page.items().stream().map(Items::version).toList(), page.lsn());
  }

  @Override
  public @Nullable Map<Long, Logged> history(long after, int pageItems) {
    var history = new TreeMap<Long, Logged>();
    Changes page;
    long from = after;
    do {
      try {
        page = changes(from, true, pageItems);
      } catch (HistoryTrimmed e) {
        return null;
      }
      for (Change change : page.changes()) {
        Items.log(change, history);
      }
      from = page.reached();
    } while (page.more());
    return history;
  }

  private Changes changes(long after, boolean allVersions, int pageItems) {
    var slice = new FeedSlice.Range(EpkRange.ALL);
    var start = new ChangeStart.After(after);
    return partition.readChanges(
        new ChangeTask(slice, start, allVersions, true, pageItems, Long.MAX_VALUE));
  }

  @Override
  public Rows<Version> latest(long after, int pageItems) {
    var rows = new ArrayList<Version>();
    long from = after;
    Changes page;
    do {
      page = changes(from, false, pageItems);
      for (Change change : page.changes()) {
        if (change.current() != null) {
          rows.add(Items.version(change.current()));
        }
      }
      from = page.reached();
    } while (page.more());
    return new Rows<>(rows, page.lsn());
  }

  @Override
  public long lsn() {
    return partition.lsn();
  }

  @Override
  public void index(int number) {
    policy = POLICIES.get(number);
    partition.settings(settings());
  }

  @Override
  public void timeToLive(@Nullable Integer seconds) {
    timeToLive = new TimeToLive(seconds);
    partition.settings(settings());
  }

  @Override
  public void expire() {
    partition.expire();
  }

  @Override
  public void trim() {
    partition.trim();
  }

  @Override
  public long retentionSeconds() {
    return RETENTION.toSeconds();
  }

  @Override
  public void reopen() {
    partition.close();
    partition = opened();
  }

  @Override
  public void settle() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (partition.indexProgress() < 100 || hasMarkers()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("Upkeep does not end");
      }
      Thread.onSpinWait();
    }
    // A turn between groups comes behind the upkeep that waits; removing may take several.
    long before;
    do {
      before = partition.lsn();
      partition.pauseUpkeep();
      partition.resumeUpkeep();
    } while (partition.lsn() != before);
  }

  @Override
  public List<String> audit() {
    return Audit.of(store, settings()).faults();
  }

  /** Whether keys that were deleted still have to be swept. */
  private boolean hasMarkers() {
    try (Snapshot snapshot = store.snapshot()) {
      return !snapshot
          .scan(Scan.forward(Keys.markersStart(), Keys.markersEnd()))
          .entries()
          .isEmpty();
    }
  }

  @Override
  public void close() {
    store.open(); // a run may fail while it holds a group
    partition.close();
  }
}
