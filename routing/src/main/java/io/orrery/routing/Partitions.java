package io.orrery.routing;

import io.orrery.partition.CounterHints;
import io.orrery.partition.GrowthListener;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.PartitionSettings;
import io.orrery.partition.Sizes;
import io.orrery.partition.Tenure;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that are open: each is opened by its first call and stays until its container is
 * deleted. The image decides: what it does not name is not opened.
 */
final class Partitions implements AutoCloseable {
  private static final long HINT_BYTES_MAX = 64 << 20;
  private static final int GIVE_UP_SECONDS_MAX = 5;

  private final Storage storage;
  private final ClosedSizes closedSizes;
  private final Catalog catalog;
  private final DatabaseSettings settings;
  private final PartitionTable open = new PartitionTable();
  private final CounterHints hints = new CounterHints(HINT_BYTES_MAX);
  private final GrowthListener growth;
  private final Nodes nodes;
  private volatile boolean closed;

  /** Those that other nodes serve. */
  private final PartitionTable visited = new PartitionTable();

  private final Moves moves;

  Partitions(
      Storage storage,
      Catalog catalog,
      DatabaseSettings settings,
      Nodes nodes,
      GrowthListener growth) {
    this.storage = storage;
    closedSizes = new ClosedSizes(storage);
    this.nodes = nodes;
    moves = new Moves(nodes);
    this.growth = growth;
    this.catalog = catalog;
    this.settings = settings;
  }

  /**
   * The partition behind a range, for reading; null when the present image no longer has it. One
   * that another node serves is visited.
   */
  @Nullable Partition of(ContainerEntry container, MappedRange range) {
    boolean served = nodes.serves(range.partition());
    Partition found = (served ? open : visited).get(range.partition());
    return found != null ? found : open(served, container, range);
  }

  /**
   * A look at the partition behind a range, whoever serves it; to be closed.
   *
   * @throws PartitionMoved when it is not there any more
   */
  Partition glimpse(ContainerEntry container, MappedRange range) {
    PartitionSettings its = settingsOf(container, range.number());
    return Partition.visit(storage.open(range.partition()), its, hints, () -> 0);
  }

  /**
   * The partition behind a range, to be served; null when the present image no longer has it.
   *
   * @throws NotHere when another node serves it
   */
  @Nullable Partition served(ContainerEntry container, MappedRange range) {
    if (!nodes.isCurrent() || !nodes.serves(range.partition())) {
      throw new NotHere("Another node serves range " + range.id());
    }
    return of(container, range);
  }

  /**
   * A partition that this node serves.
   *
   * @throws NotHere when it does not
   */
  Partition served(PartitionId id) {
    Partition known = nodes.serves(id) ? open.get(id) : null;
    if (known != null) {
      return known;
    }
    ContainerEntry container = catalog.image().containerOf(id);
    if (container != null) {
      MappedRange range = container.map().of(id);
      Partition opened = range == null ? null : served(container, range);
      if (opened != null) {
        return opened;
      }
    }
    throw new NotHere("Partition " + id.value() + " is not known here");
  }

  private @Nullable Partition open(boolean served, ContainerEntry container, MappedRange range) {
    try {
      return served ? opened(container, range) : visited(container, range);
    } catch (PartitionMoved e) {
      return null;
    }
  }

  private @Nullable Partition visited(ContainerEntry container, MappedRange range) {
    PartitionId id = range.partition();
    return visited.get(
        id,
        () -> {
          PartitionSettings its = settingsNow(container, range);
          return its == null
              ? null
              : Partition.visit(storage.open(id), its, hints, () -> nodes.acknowledged(id));
        },
        made -> settle(visited, made, container, range));
  }

  private @Nullable Partition opened(ContainerEntry container, MappedRange range) {
    PartitionId id = range.partition();
    Tenure tenure = nodes.tenure();
    return open.get(
        id,
        () -> {
          PartitionSettings its = settingsNow(container, range);
          return its == null ? null : Partition.open(storage.open(id), its, hints, growth, tenure);
        },
        made -> {
          settle(open, made, container, range);
          if (!tenure.isCurrent() || !nodes.serves(id)) {
            open.close(id, made);
            throw new NotHere("Another node has come for range " + range.id());
          }
        });
  }

  /**
   * Takes up what has changed while a partition was opened. A replace or a delete that runs now
   * finds it in the table, and what one has written before is read here.
   */
  private void settle(
      PartitionTable among, Partition made, ContainerEntry container, MappedRange range) {
    PartitionSettings now;
    synchronized (made) {
      now = settingsNow(container, range);
      if (now != null) {
        made.settings(now);
      }
    }
    if (now == null) {
      among.close(range.partition(), made);
    }
  }

  /** As the image has them now; null when a range is not to be opened any more. */
  private @Nullable PartitionSettings settingsNow(ContainerEntry container, MappedRange range) {
    ContainerEntry present = catalog.image().container(container.number());
    return closed || present == null || !present.map().ranges().contains(range)
        ? null
        : settingsOf(present, range.number());
  }

  /** Serves a partition no longer, because another node asks for it; blocks until all is done. */
  void release(PartitionId id) {
    close(open.take(id));
  }

  /** Goes by the present image, and by who serves what now; blocks until the rest is given up. */
  void follow() {
    Set<PartitionId> named = new HashSet<>();
    for (ContainerEntry container : catalog.image().containers().values()) {
      container.map().ranges().forEach(range -> named.add(range.partition()));
      refresh(container);
    }
    giveUp(id -> !named.contains(id) || !nodes.serves(id));
    visited.ids().removeIf(id -> !named.contains(id) || nodes.serves(id));
  }

  /** Gives up all that was served, because this node was taken for dead. */
  void releaseAll() {
    giveUp(id -> true);
    visited.ids().clear();
  }

  /**
   * Serves some no longer. Waits for what is under way in them, but not for long: a storage that
   * does not answer for one of them must not keep this node from following what concerns the rest.
   */
  private void giveUp(Predicate<PartitionId> which) {
    var closing = new ArrayList<CompletableFuture<Void>>();
    for (PartitionId id : open.ids()) {
      Partition given = which.test(id) ? open.remove(id) : null;
      if (given != null) {
        closing.add(CompletableFuture.runAsync(given::close, Thread::startVirtualThread));
      }
    }
    CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, GIVE_UP_SECONDS_MAX, TimeUnit.SECONDS)
        .join();
  }

  private static void close(@Nullable Partition partition) {
    if (partition != null) {
      partition.close();
    }
  }

  /** Forgets a partition that says it has moved, so that the next call looks again. */
  void forget(MappedRange range, Partition moved) {
    open.close(range.partition(), moved);
    visited.close(range.partition(), moved);
  }

  PartitionStore store(PartitionId id) {
    return storage.open(id);
  }

  Sizes sizes(MappedRange range) {
    Partition found = open.get(range.partition());
    return found != null ? found.sizes() : Sizes.load(storage.open(range.partition()));
  }

  /**
   * How much is in those ranges that this node serves, without waiting for a storage that does not
   * answer; one that is not open may be missing then.
   */
  Map<PartitionId, Sizes> servedSizes(List<MappedRange> ranges) {
    var sizes = new HashMap<PartitionId, Sizes>();
    Set<PartitionId> unopened = new HashSet<>();
    for (MappedRange range : ranges) {
      // What other nodes serve they tell themselves.
      if (serves(range)) {
        Partition found = open.get(range.partition());
        if (found == null) {
          unopened.add(range.partition());
        } else {
          sizes.put(range.partition(), found.sizes());
        }
      }
    }
    sizes.putAll(closedSizes.of(unopened));
    return sizes;
  }

  /** Takes back the seal of a partition that was to be replaced by others. */
  void unseal(PartitionId id) {
    Partition.unseal(storage.open(id), nodes.tenure());
  }

  /** Whether other nodes serve partitions, too. */
  boolean shared() {
    return !nodes.isAlone();
  }

  /**
   * Under which number this node serves. What was begun under one is not done under another:
   * whoever asked for it has been told that it may not have been done.
   */
  long term() {
    return nodes.term();
  }

  /** Which node serves a range; null where there is only one. */
  @Nullable String addressOf(MappedRange range) {
    return nodes.addressOf(range.partition());
  }

  /** Whether this node serves it. */
  boolean serves(MappedRange range) {
    return nodes.serves(range.partition());
  }

  /** How many items were removed because their time was over, since the partition was opened. */
  long expired(MappedRange range) {
    Partition found = open.get(range.partition());
    return found == null ? 0 : found.expired();
  }

  /** How many items maintenance could not read, as far as it has looked. */
  long quarantined(MappedRange range) {
    Partition found = open.get(range.partition());
    return found == null ? 0 : found.quarantined();
  }

  /** Lets those that are open remove history whose time is over. */
  void trim() {
    open.all().forEach(Partition::trim);
  }

  /** From now on, those whom the partition turns away wait until {@link #moved}. */
  void moving(PartitionId id) {
    moves.begin(id);
  }

  /** Lets those who waited look at the map again. */
  void moved(PartitionId id) {
    Partition found = open.take(id);
    moves.end(id);
    close(found);
  }

  /** Waits until the map shows where a partition has moved; tells whether that came in time. */
  boolean awaitMove(PartitionId id) {
    return moves.await(id);
  }

  /** The partition behind a range if it is open here; null otherwise. */
  @Nullable Partition openOf(MappedRange range) {
    return open.get(range.partition());
  }

  void create(List<PartitionId> ids) {
    ids.forEach(id -> Partition.create(storage.open(id), settings.ticks().getAsLong()));
  }

  void drop(List<PartitionId> ids) {
    for (PartitionId id : ids) {
      close(open.take(id));
      storage.drop(id);
    }
    open.forget(ids);
  }

  /** Tells open partitions what has changed in their container's definition. */
  void refresh(ContainerEntry changed) {
    for (MappedRange range : changed.map().ranges()) {
      refresh(open, changed, range);
      refresh(visited, changed, range);
    }
  }

  private void refresh(PartitionTable among, ContainerEntry changed, MappedRange range) {
    Partition found = among.get(range.partition());
    if (found == null) {
      return;
    }
    // So that the latest image is the last to be taken up.
    synchronized (found) {
      ContainerEntry present = catalog.image().container(changed.number());
      if (present != null) {
        found.settings(settingsOf(present, range.number()));
      }
    }
  }

  PartitionSettings settingsOf(ContainerEntry container, long rangeNumber) {
    return settings.ofPartition(container, rangeNumber);
  }

  @Override
  public void close() {
    // Whoever opens one now closes it again.
    closed = true;
    releaseAll();
  }
}
