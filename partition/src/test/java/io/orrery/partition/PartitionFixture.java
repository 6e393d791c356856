package io.orrery.partition;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.Etag;
import io.orrery.operation.Limits;
import io.orrery.operation.Mark;
import io.orrery.operation.Memory;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.operation.Precondition;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.ItemBody;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A partition of a container keyed by {@code /pk}, over a store that tests can look into. */
final class PartitionFixture implements AutoCloseable {
  static final PartitionKeyDefinition DEFINITION =
      new PartitionKeyDefinition(List.of(List.of("pk")), Hashing.HASH_V2);
  static final long RANGE_NUMBER = 3;

  final PartitionStore store;
  Partition partition;

  private final UniqueKeys unique;
  private boolean versions = true;
  private Memory memory = Memory.process();
  private TimeToLive timeToLive = TimeToLive.OFF;
  private LongSupplier clock = Ticks::now;
  private Limits limits = Limits.SEEDS;
  private IndexPolicy policy =
      policy("{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/\\\"_etag\\\"/?'}]}");

  PartitionFixture(boolean repeatable) {
    this(repeatable, UniqueKeys.NONE);
  }

  PartitionFixture(boolean repeatable, UniqueKeys unique) {
    this(new MemoryStorage(repeatable).open(new PartitionId(7)), unique);
  }

  /** A partition over a store that is wrapped in another. */
  PartitionFixture(UnaryOperator<PartitionStore> wrapping) {
    this(wrapping.apply(new MemoryStorage().open(new PartitionId(7))), UniqueKeys.NONE);
  }

  PartitionFixture(PartitionStore store, UniqueKeys unique) {
    this.unique = unique;
    this.store = store;
    Partition.create(store, Ticks.now());
    partition = opened();
  }

  private Partition opened() {
    return Partition.open(
        store, settings(), new CounterHints(1 << 20), () -> {}, Tenure.SOLE, memory);
  }

  /** Opens it again with another account of memory. */
  void reopen(Memory changed) {
    memory = changed;
    reopen();
  }

  /** Opens again what was closed. */
  void open() {
    partition = opened();
  }

  IndexPolicy policy() {
    return policy;
  }

  PartitionSettings settings() {
    return settings(RANGE_NUMBER);
  }

  /** Those of another partition of the same container. */
  PartitionSettings settings(long rangeNumber) {
    return new PartitionSettings(
        rangeNumber,
        DEFINITION,
        policy,
        unique,
        limits,
        true,
        versions,
        Duration.ofMinutes(10),
        timeToLive,
        clock);
  }

  /** Single quotes stand for double ones. */
  static IndexPolicy policy(String json) {
    return IndexPolicy.of((Value.Obj) Json.parse(json.replace('\'', '"')), DEFINITION);
  }

  /** Changes the policy, also of a partition that is opened later. */
  void index(IndexPolicy changed) {
    policy = changed;
    partition.settings(settings());
  }

  /** Changes how long items live, also in a partition that is opened later. */
  void timeToLive(TimeToLive changed) {
    timeToLive = changed;
    partition.settings(settings());
  }

  /** Whether the history has images of items from now on. */
  void keepVersions(boolean changed) {
    versions = changed;
    partition.settings(settings());
  }

  /** Goes by another clock from now on. */
  void clock(LongSupplier ticks) {
    clock = ticks;
    partition.settings(settings());
  }

  /** Changes the limits, also of a partition that is opened later. */
  void limit(Limits changed) {
    limits = changed;
    partition.settings(settings());
  }

  void awaitIndex() {
    while (partition.indexProgress() < 100) {
      Thread.onSpinWait();
    }
  }

  /** Waits until deleted logical partitions are swept. */
  void awaitSweep() {
    boolean swept;
    do {
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("Markers are left");
      }
      try (Snapshot snapshot = store.snapshot()) {
        swept =
            snapshot.scan(Scan.forward(Keys.markersStart(), Keys.markersEnd())).entries().isEmpty();
      }
    } while (!swept);
  }

  void reopen() {
    partition.close();
    partition = opened();
  }

  static LogicalKey key(String pk) {
    return LogicalKey.of(PartitionKey.of(pk), DEFINITION);
  }

  static ItemBody item(String json) {
    return ItemBody.of(Body.json(json), DEFINITION);
  }

  CompletableFuture<PartitionAnswer> submit(ItemTask task) {
    return submit(partition, task);
  }

  static CompletableFuture<PartitionAnswer> submit(Partition partition, ItemTask task) {
    return submit(partition, task, null);
  }

  private static CompletableFuture<PartitionAnswer> submit(
      Partition partition, ItemTask task, @Nullable Mark mark) {
    var answer = new CompletableFuture<PartitionAnswer>();
    partition.execute(
        task,
        mark,
        Runnable::run,
        new PartitionReply() {
          @Override
          public void answer(PartitionAnswer given) {
            answer.complete(given);
          }

          @Override
          public void moved() {
            answer.completeExceptionally(new PartitionMoved());
          }

          @Override
          public void fault(Throwable fault) {
            answer.completeExceptionally(fault);
          }
        });
    return answer;
  }

  /** Keeps the answers, in their order. */
  static PartitionReply to(List<PartitionAnswer> answers) {
    return new PartitionReply() {
      @Override
      public void answer(PartitionAnswer given) {
        answers.add(given);
      }

      @Override
      public void moved() {
        throw new PartitionMoved();
      }

      @Override
      public void fault(Throwable fault) {
        throw new IllegalStateException(fault);
      }
    };
  }

  PartitionAnswer run(ItemTask task) {
    return submit(task).join();
  }

  PartitionAnswer run(ItemTask task, Mark mark) {
    return submit(partition, task, mark).join();
  }

  PartitionAnswer create(String pk, String id) {
    return run(new ItemTask.Create(key(pk), item(json(pk, id, 1))));
  }

  PartitionAnswer read(String pk, String id) {
    return run(new ItemTask.Read(key(pk), new Target.Id(id), Precondition.NONE));
  }

  StoredItem readItem(String pk, String id) {
    return ((Outcome.ItemRead) read(pk, id).outcome()).item();
  }

  Etag etag(String pk, String id) {
    return readItem(pk, id).etag();
  }

  List<StoredItem> feed(FeedSlice slice) {
    return partition.readFeed(new FeedTask(slice, 0, 10_000, 4 << 20)).items();
  }

  static String json(String pk, String id, int n) {
    return "{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\",\"n\":" + n + "}";
  }

  @Override
  public void close() {
    partition.close();
  }
}
