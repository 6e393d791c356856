package io.orrery.routing;

import io.orrery.partition.CounterHints;
import io.orrery.partition.GrowthListener;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.PartitionSettings;
import io.orrery.partition.Sizes;
import io.orrery.partition.TimeToLive;
import io.orrery.partition.UniqueKeys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.Storage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that are open: each is opened by its first call and stays until its container is
 * deleted. The image decides: what it does not name is not opened.
 */
final class Partitions implements AutoCloseable {
  private static final long HINT_BYTES_MAX = 64 << 20;
  private static final int MOVE_SECONDS_MAX = 30;

  private final Storage storage;
  private final Catalog catalog;
  private final DatabaseSettings settings;
  private final ConcurrentMap<PartitionId, Partition> open = new ConcurrentHashMap<>();
  private final CounterHints hints = new CounterHints(HINT_BYTES_MAX);
  private final GrowthListener growth;
  private volatile boolean closed;

  /** Those that are sealed while others take their place; done when that is decided. */
  private final ConcurrentMap<PartitionId, CompletableFuture<Void>> moving =
      new ConcurrentHashMap<>();

  Partitions(Storage storage, Catalog catalog, DatabaseSettings settings, GrowthListener growth) {
    this.storage = storage;
    this.growth = growth;
    this.catalog = catalog;
    this.settings = settings;
  }

  /** The partition behind a range; null when the present image no longer has it. */
  @Nullable Partition of(ContainerEntry container, MappedRange range) {
    Partition found = open.get(range.partition());
    return found != null ? found : open(container, range);
  }

  private @Nullable Partition open(ContainerEntry container, MappedRange range) {
    try {
      return open.computeIfAbsent(
          range.partition(),
          id -> {
            // Read here, not before: a replace that runs now finds the partition in the table or
            // this reads what it wrote, and a delete likewise.
            ContainerEntry present = catalog.image().container(container.number());
            return closed || present == null || !present.map().ranges().contains(range)
                ? null
                : Partition.open(
                    storage.open(id), settingsOf(present, range.number()), hints, growth);
          });
    } catch (PartitionMoved e) {
      return null;
    }
  }

  /** Forgets a partition that says it has moved, so that the next call looks again. */
  void forget(MappedRange range, Partition moved) {
    if (open.remove(range.partition(), moved)) {
      moved.close();
    }
  }

  PartitionStore store(PartitionId id) {
    return storage.open(id);
  }

  Sizes sizes(MappedRange range) {
    Partition found = open.get(range.partition());
    return found != null ? found.sizes() : Sizes.load(storage.open(range.partition()));
  }

  /** How many items were removed because their time was over, since the partition was opened. */
  long expired(MappedRange range) {
    Partition found = open.get(range.partition());
    return found == null ? 0 : found.expired();
  }

  /** From now on, those whom the partition turns away wait until {@link #moved}. */
  void moving(PartitionId id) {
    moving.put(id, new CompletableFuture<>());
  }

  /** Lets those who waited look at the map again. */
  void moved(PartitionId id) {
    Partition found = open.remove(id);
    CompletableFuture<Void> waited = moving.remove(id);
    if (waited != null) {
      waited.complete(null);
    }
    if (found != null) {
      found.close();
    }
  }

  /** Waits until the map shows where a partition has moved; tells whether that came in time. */
  boolean awaitMove(PartitionId id) {
    CompletableFuture<Void> waited = moving.get(id);
    try {
      if (waited != null) {
        waited.get(MOVE_SECONDS_MAX, TimeUnit.SECONDS);
      }
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The last transaction of a range, without opening it. */
  long lsn(MappedRange range) {
    Partition found = open.get(range.partition());
    if (found != null) {
      return found.lsn();
    }
    try (Snapshot snapshot = storage.open(range.partition()).snapshot()) {
      var head = snapshot.head();
      return head == null ? 0 : head.lsn();
    }
  }

  void create(List<PartitionId> ids) {
    ids.forEach(id -> Partition.create(storage.open(id), settings.ticks().getAsLong()));
  }

  void drop(List<PartitionId> ids) {
    for (PartitionId id : ids) {
      Partition found = open.remove(id);
      if (found != null) {
        found.close();
      }
      storage.drop(id);
    }
  }

  /** Tells open partitions what has changed in their container's definition. */
  void refresh(ContainerEntry changed) {
    for (MappedRange range : changed.map().ranges()) {
      open.computeIfPresent(
          range.partition(),
          (id, partition) -> {
            ContainerEntry present = catalog.image().container(changed.number());
            if (present != null) {
              partition.settings(settingsOf(present, range.number()));
            }
            return partition;
          });
    }
  }

  PartitionSettings settingsOf(ContainerEntry container, long rangeNumber) {
    var definition = container.definition();
    Duration asked = definition.versionRetention();
    return new PartitionSettings(
        rangeNumber,
        definition.key(),
        IndexPolicy.of(definition.indexingPolicy(), definition.key()),
        new UniqueKeys(definition.uniqueKeys().stream().map(UniqueKeys.Paths::new).toList()),
        settings.limits(),
        container.splittable(),
        !asked.isZero(),
        asked.compareTo(settings.historyRetention()) > 0 ? asked : settings.historyRetention(),
        new TimeToLive(definition.defaultTtl()),
        settings.ticks());
  }

  @Override
  public void close() {
    closed = true;
    // A key at a time through the table's own lock, so that none is opened behind our back.
    open.keySet()
        .forEach(
            id -> {
              Partition partition = open.remove(id);
              if (partition != null) {
                partition.close();
              }
            });
  }
}
