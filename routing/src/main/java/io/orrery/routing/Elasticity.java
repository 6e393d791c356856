package io.orrery.routing;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.Cut;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Limits;
import io.orrery.operation.Refusal;
import io.orrery.operation.Vitals;
import io.orrery.partition.Sizes;
import io.orrery.partition.SplitPoint;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps containers in enough partitions: splits those that are too large or carry too much, the
 * largest first, one at a time. What users ask for runs beside that.
 */
final class Elasticity implements AutoCloseable {
  /** With fewer keys their hashes say little about those to come: the space is halved instead. */
  private static final int TELLING_KEYS_MIN = 100;

  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Logger LOG = LoggerFactory.getLogger(Elasticity.class);

  private final Catalog catalog;
  private final Partitions partitions;
  private final Limits limits;
  private final Surroundings around;
  private final Semaphore calls = new Semaphore(1);
  private final ReshapeLog log = new ReshapeLog();
  private final Map<PartitionId, Long> restUntilNanos = new HashMap<>();
  private final LongSupplier nanos;
  private final Thread keeper;
  private final Nodes nodes;

  /** What a reshape hears and tells. */
  static final class Surroundings {
    private final Consumer<ReshapeStep> watcher;
    private final Budgets budgets;
    private volatile boolean closed;

    Surroundings(Consumer<ReshapeStep> watcher, Budgets budgets) {
      this.watcher = watcher;
      this.budgets = budgets;
    }

    void forget(List<MappedRange> gone) {
      budgets.forget(gone);
    }

    boolean isClosed() {
      return closed;
    }

    void reached(ReshapeStep step) {
      watcher.accept(step);
    }
  }

  Elasticity(
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      Nodes nodes,
      DatabaseSettings settings) {
    this.nodes = nodes;
    this.catalog = catalog;
    this.partitions = partitions;
    this.limits = settings.limits();
    this.nanos = settings.nanos();
    this.around = new Surroundings(settings.reshapeWatcher(), budgets);
    this.keeper = Thread.ofVirtual().name("elasticity").unstarted(this::keep);
  }

  /** Begins to look after the containers, unless that is left to those who let time pass. */
  void start() {
    if (!(nanos instanceof VirtualClock)) {
      keeper.start();
    }
  }

  /** Something may have grown; returns at once. */
  void look() {
    if (keeper.isAlive()) {
      calls.release();
    }
  }

  private void keep() {
    while (!around.isClosed()) {
      try {
        calls.tryAcquire(REST_NANOS, TimeUnit.NANOSECONDS);
        calls.drainPermits();
        if (nodes.leads()) {
          settle();
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        Vitals.countIfError(e);
        LOG.warn("Partitions could not be looked after; tried again soon", e);
      }
    }
  }

  /** Splits what has to be split; blocks until nothing is left to do. */
  synchronized void settle() {
    Reshape.Plan next = next();
    while (next != null && !around.isClosed()) {
      Reshape reshape = begin(next, false);
      if (run(reshape) == Reshape.Phase.FAILED) {
        restUntilNanos.put(next.sources().getFirst().partition(), nanos.getAsLong() + REST_NANOS);
      }
      next = next();
    }
  }

  private Reshape.@Nullable Plan next() {
    CatalogImage image = catalog.image();
    for (ContainerEntry container : image.containers().values()) {
      if (container.splittable()) {
        Reshape.Plan plan = next(image, container);
        if (plan != null) {
          return plan;
        }
      }
    }
    return null;
  }

  private record Measured(MappedRange range, long bytes) {}

  private Reshape.@Nullable Plan next(CatalogImage image, ContainerEntry container) {
    boolean pending = Provisioning.isPending(image, container, limits);
    // Measured once: writers go on, and sizes that change under a sort confuse it.
    List<Measured> largestFirst =
        container.map().ranges().stream()
            .map(range -> new Measured(range, partitions.sizes(range).bytes()))
            .sorted(Comparator.comparingLong(Measured::bytes).reversed())
            .toList();
    for (Measured measured : largestFirst) {
      MappedRange range = measured.range;
      boolean full = measured.bytes > limits.physicalPartitionBytes();
      if (!full && !pending) {
        return null;
      }
      if (isFree(image, range)) {
        EffectivePartitionKey cut = full ? cutByData(range) : cutForUnits(container, range);
        if (cut != null) {
          return split(
              full ? Reshape.Cause.STORAGE : Reshape.Cause.THROUGHPUT, container, range, cut);
        }
      }
    }
    return null;
  }

  private boolean isFree(CatalogImage image, MappedRange range) {
    Long rest = restUntilNanos.get(range.partition());
    return !isBusy(image.intents(), range) && (rest == null || rest - nanos.getAsLong() < 0);
  }

  private static boolean isBusy(Collection<Intent> intents, MappedRange range) {
    return intents.stream().anyMatch(intent -> intent.sources().contains(range.partition()));
  }

  private @Nullable EffectivePartitionKey cutByData(MappedRange range) {
    return SplitPoint.byData(partitions.store(range.partition()));
  }

  private @Nullable EffectivePartitionKey cutForUnits(ContainerEntry container, MappedRange range) {
    Sizes sizes = partitions.sizes(range);
    EffectivePartitionKey cut =
        sizes.logicalPartitions() < TELLING_KEYS_MIN ? null : cutByData(range);
    return cut != null ? cut : SplitPoint.midpoint(range.epks(), container.key().hashing());
  }

  private static Reshape.Plan split(
      Reshape.Cause cause, ContainerEntry container, MappedRange range, EffectivePartitionKey cut) {
    return new Reshape.Plan(
        Reshape.Kind.SPLIT,
        cause,
        container,
        List.of(range),
        List.of(new EpkRange(range.epks().min(), cut), new EpkRange(cut, range.epks().max())));
  }

  /**
   * Begins a split that somebody asks for.
   *
   * @throws Refused when the range is not there, busy, or cannot be cut
   */
  Reshape split(ContainerEntry container, String rangeId, Cut asked, boolean stepped) {
    MappedRange range = rangeOf(container, rangeId);
    requireSplittable(container);
    EffectivePartitionKey cut =
        switch (asked) {
          case Cut.Midpoint() -> SplitPoint.midpoint(range.epks(), container.key().hashing());
          case Cut.ByData() -> cutByData(range);
          case Cut.At(EffectivePartitionKey epk) ->
              epk.isAmong(container.key().hashing())
                      && range.epks().contains(epk)
                      && !epk.equals(range.epks().min())
                  ? epk
                  : null;
        };
    if (cut == null) {
      throw new Refused(
          new Refusal.BadRequest(
              "Range "
                  + rangeId
                  + " cannot be cut there: both parts must have keys, and a range whose items have"
                  + " one partition key cannot be halved by its data."));
    }
    return inBackground(begin(split(Reshape.Cause.REQUEST, container, range, cut), stepped));
  }

  /**
   * Begins a merge of two neighbours.
   *
   * @throws Refused when they are not there, no neighbours, busy, or too large together
   */
  Reshape merge(ContainerEntry container, List<String> rangeIds, boolean stepped) {
    if (rangeIds.size() != 2) {
      throw new Refused(new Refusal.BadRequest("Name the ids of the two ranges to merge."));
    }
    requireSplittable(container);
    List<MappedRange> ranges =
        rangeIds.stream()
            .map(id -> rangeOf(container, id))
            .sorted(Comparator.comparing(range -> range.epks().min()))
            .toList();
    EpkRange lower = ranges.getFirst().epks();
    EpkRange upper = ranges.getLast().epks();
    if (!lower.max().equals(upper.min())) {
      throw new Refused(
          new Refusal.BadRequest("Ranges " + rangeIds + " are no neighbours: only those merge."));
    }
    long bytes = ranges.stream().mapToLong(range -> partitions.sizes(range).bytes()).sum();
    if (bytes > limits.physicalPartitionBytes()) {
      throw new Refused(
          new Refusal.BadRequest(
              "Together ranges "
                  + rangeIds
                  + " have "
                  + bytes
                  + " bytes; a partition holds "
                  + limits.physicalPartitionBytes()
                  + "."));
    }
    CatalogImage image = catalog.image();
    int needed = Provisioning.partitionsFor(Provisioning.of(image, container), limits);
    if (container.map().ranges().size() - 1 < needed) {
      throw new Refused(
          new Refusal.BadRequest(
              "The throughput of the container needs "
                  + needed
                  + " partitions: lower it before ranges are merged."));
    }
    var plan =
        new Reshape.Plan(
            Reshape.Kind.MERGE,
            Reshape.Cause.REQUEST,
            container,
            ranges,
            List.of(new EpkRange(lower.min(), upper.max())));
    return inBackground(begin(plan, stepped));
  }

  private static MappedRange rangeOf(ContainerEntry container, String id) {
    MappedRange range = container.map().byId(id);
    if (range == null) {
      throw new Refused(
          new Refusal.BadRequest(
              "The container has no range "
                  + id
                  + " (any more): its ranges are "
                  + container.map().ranges().stream().map(MappedRange::id).toList()
                  + "."));
    }
    return range;
  }

  private static void requireSplittable(ContainerEntry container) {
    if (!container.splittable()) {
      throw new Refused(
          new Refusal.BadRequest(
              "The container may not split: it "
                  + (container.key().isNone()
                      ? "has no partition key."
                      : "was created with less than 1,000 RU/s.")));
    }
  }

  private Reshape begin(Reshape.Plan plan, boolean stepped) {
    List<PartitionId> sources = plan.sources().stream().map(MappedRange::partition).toList();
    Intent intent =
        catalog.change(
            draft -> {
              ContainerEntry present = draft.before().container(plan.container().number());
              if (present == null) {
                throw new Refused(new Refusal.NotFound());
              }
              for (MappedRange source : plan.sources()) {
                if (!present.map().ranges().contains(source)
                    || isBusy(draft.before().intents(), source)) {
                  throw new Refused(
                      new Refusal.Busy(
                          "Range "
                              + source.id()
                              + " is being split or"
                              + " merged already; wait until that is done."));
                }
              }
              return draft.addIntent(plan.epks().size(), sources);
            });
    var reshape = new Reshape(plan, intent, catalog, partitions, around, stepped);
    log.add(reshape);
    return reshape;
  }

  private Reshape.Phase run(Reshape reshape) {
    try {
      reshape.run();
    } catch (ServerStops e) {
      LOG.debug("{} is left to the next start", reshape);
    }
    log.ended(reshape);
    return reshape.report().phase();
  }

  private Reshape inBackground(Reshape reshape) {
    Thread.ofVirtual().name("reshape-" + reshape.id()).start(() -> run(reshape));
    return reshape;
  }

  /**
   * The container that a request means.
   *
   * @throws Refused when it is not there
   */
  ContainerEntry container(ContainerRef ref) {
    return ItemRouter.resolve(catalog.image(), ref);
  }

  /** The latest first. */
  List<Reshape> reshapes() {
    return log.latest();
  }

  ReshapeLog log() {
    return log;
  }

  /** Lets what is not decided end soon, so that nobody waits for it any longer. */
  void stop() {
    around.closed = true;
    calls.release();
  }

  /** Stops what is not decided and waits for it; the next start undoes it. */
  @Override
  public void close() {
    stop();
    try {
      keeper.join();
      for (Reshape reshape : reshapes()) {
        for (Reshape.Phase phase : Reshape.Phase.values()) {
          if (!phase.isEnd()) {
            reshape.awaitEndOf(phase, Duration.ofSeconds(30));
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StorageFault e) {
      LOG.debug("The storage was closed first", e);
    }
  }
}
