package io.orrery.routing;

import io.orrery.operation.EpkRange;
import io.orrery.operation.Refusal;
import io.orrery.partition.PartitionCopy;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.GoneRange;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.CommitUndecided;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One split or merge: new partitions take the place of old ones. The old ones serve while most of
 * their content is copied, are sealed for the rest, and one commit of the catalog decides. Run by
 * one thread, watched by others.
 */
final class Reshape {
  private static final int ROUNDS_MAX = 12;
  private static final int FEW_TRANSACTIONS = 200;
  private static final long PAUSE_MILLIS = 100;

  /** After so many pauses an automatic split gives up until later: others wait on its thread. */
  private static final int PAUSES_FOR_UPKEEP_MAX = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Reshape.class);

  /** What is done: one range becomes two, or two become one. */
  enum Kind {
    SPLIT,
    MERGE
  }

  /** Why. */
  enum Cause {
    STORAGE,
    THROUGHPUT,
    REQUEST
  }

  /** How far it is, as users see it. */
  enum Phase {
    PREPARING,
    SWAPPING,
    SUCCEEDED,
    FAILED;

    boolean isEnd() {
      return this == SUCCEEDED || this == FAILED;
    }
  }

  /**
   * What is to be done.
   *
   * @param epks of the new ranges, in order
   */
  record Plan(
      Kind kind,
      Cause cause,
      ContainerEntry container,
      List<MappedRange> sources,
      List<EpkRange> epks) {}

  private final Plan plan;
  private final Intent intent;
  private final Catalog catalog;
  private final Partitions partitions;
  private final ReshapeSources sources;
  private final Elasticity.Surroundings around;
  private final Instant began = Instant.now();

  /** Guarded by this, as all below. */
  private Phase phase = Phase.PREPARING;

  private @Nullable Instant ended;
  private @Nullable String failure;
  private Duration freeze = Duration.ZERO;
  private List<String> targetIds = List.of();

  /** Belongs to the thread that runs it. */
  private int pausesForUpkeep;

  /** How many phases were allowed to begin; without end when nobody steps through them. */
  private int allowed;

  Reshape(
      Plan plan,
      Intent intent,
      Catalog catalog,
      Partitions partitions,
      Elasticity.Surroundings around,
      boolean stepped) {
    this.plan = plan;
    this.intent = intent;
    this.catalog = catalog;
    this.partitions = partitions;
    sources = new ReshapeSources(plan.container, plan.sources, partitions);
    this.around = around;
    this.allowed = stepped ? 0 : Integer.MAX_VALUE;
  }

  /** What can be told of it at one moment. */
  record Report(
      long id,
      Plan plan,
      Phase phase,
      List<String> targetIds,
      Instant began,
      @Nullable Instant ended,
      Duration freeze,
      @Nullable String failure,
      boolean stepped) {}

  synchronized Report report() {
    boolean stepped = allowed < Integer.MAX_VALUE;
    return new Report(
        intent.number(), plan, phase, targetIds, began, ended, freeze, failure, stepped);
  }

  long id() {
    return intent.number();
  }

  /** Lets the phase begin that waits to; tells whether one did. */
  synchronized boolean advance() {
    boolean waiting = allowed == (phase == Phase.PREPARING ? 0 : 1) && !phase.isEnd();
    if (waiting) {
      allowed++;
      notifyAll();
    }
    return waiting;
  }

  /** Waits until a phase is over. */
  synchronized void awaitEndOf(Phase present, Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    long left = most.toMillis();
    while (phase == present && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }
  }

  private synchronized void awaitTurn(int number) {
    while (allowed < number) {
      try {
        // Not for ever: the server may be stopping.
        wait(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ServerStops();
      }
      stopIfClosed();
    }
  }

  private synchronized void enter(Phase next, @Nullable String why) {
    phase = next;
    failure = why;
    ended = next.isEnd() ? Instant.now() : null;
    notifyAll();
  }

  private void stopIfClosed() {
    if (around.isClosed()) {
      throw new ServerStops();
    }
  }

  /** Does it; blocks until it is done or undone. */
  void run() {
    if (decided()) {
      finish();
    }
  }

  /** Does everything up to the decision; undoes it when that does not come. */
  private boolean decided() {
    try {
      reached(ReshapeStep.INTENDED);
      awaitTurn(1);
      List<PartitionCopy> copies = prepare();
      reached(ReshapeStep.CAUGHT_UP);
      enter(Phase.SWAPPING, null);
      awaitTurn(2);
      swap(copies);
      return true;
    } catch (ServerStops e) {
      enter(Phase.FAILED, "The server stopped; the next start undoes it");
    } catch (CommitUndecided e) {
      // It may have happened: whoever opens the storage next knows.
      enter(Phase.FAILED, "The storage was closed; the next start decides");
    } catch (RuntimeException | Error e) {
      LOG.warn("{} is undone", this, e);
      undo(String.valueOf(e.getMessage()));
    }
    return false;
  }

  /** From here on nothing is undone: the new partitions serve. */
  private void finish() {
    try {
      nameTargets();
      reached(ReshapeStep.DECIDED);
      around.forget(plan.sources);
      partitions.drop(plan.sources.stream().map(MappedRange::partition).toList());
      reached(ReshapeStep.DROPPED);
    } catch (StorageFault e) {
      LOG.warn("What was left behind by {} goes with the next start", this, e);
    } finally {
      enter(Phase.SUCCEEDED, null);
      LOG.info("{}", this);
    }
  }

  private void reached(ReshapeStep step) {
    around.reached(step);
  }

  private List<PartitionCopy> prepare() {
    sources.pauseUpkeep(plan.cause == Cause.REQUEST ? this::pause : this::pauseForUpkeep);
    List<PartitionCopy> copies = copies();
    BackgroundThread.run(
        "copy-" + id(),
        () -> {
          copies.forEach(copy -> copy.load(this::stopIfClosed));
          reached(ReshapeStep.LOADED);
          catchUp(copies);
        });
    return copies;
  }

  /** Until little is left, or writers turn out to be as quick. */
  private void catchUp(List<PartitionCopy> copies) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      long moved = 0;
      for (PartitionCopy copy : copies) {
        stopIfClosed();
        moved = Math.max(moved, copy.catchUp());
      }
      if (moved < FEW_TRANSACTIONS) {
        break;
      }
    }
  }

  private List<PartitionCopy> copies() {
    List<PartitionCopy> copies = new ArrayList<>();
    for (int i = 0; i < plan.epks.size(); i++) {
      EpkRange target = plan.epks.get(i);
      // Makes no counters of its own before it is opened under the number that the map gives it.
      var settings = partitions.settingsOf(plan.container, 0);
      var copy = new PartitionCopy(partitions.store(intent.partitions().get(i)), settings);
      for (MappedRange source : plan.sources) {
        copy.from(partitions.store(source.partition()), source.epks().intersect(target));
      }
      copies.add(copy);
    }
    return copies;
  }

  private void swap(List<PartitionCopy> copies) {
    // Much may have been written since, where somebody steps through the phases.
    catchUp(copies);
    long start = System.nanoTime();
    plan.sources.forEach(source -> partitions.moving(source.partition()));
    try {
      List<GoneRange> gone = sources.seal();
      reached(ReshapeStep.SEALED);
      copies.forEach(PartitionCopy::catchUp);
      reached(ReshapeStep.COPIED);
      decide(gone);
    } catch (CommitUndecided e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (isMapped()) {
        LOG.warn("{} was decided, though not without a fault", this, e);
        return;
      }
      persist(sources::unseal);
      throw e;
    } finally {
      plan.sources.forEach(source -> partitions.moved(source.partition()));
      synchronized (this) {
        freeze = Duration.ofNanos(System.nanoTime() - start);
      }
    }
  }

  /** Whether the new partitions serve: then nothing may be undone. */
  private boolean isMapped() {
    CatalogImage now = catalog.image();
    return intent.partitions().stream().anyMatch(id -> now.containerOf(id) != null);
  }

  private void decide(List<GoneRange> gone) {
    catalog.change(
        draft -> {
          if (!draft.before().intents().contains(intent)) {
            throw new NotHere("Whoever leads now has undone this");
          }
          ContainerEntry present = draft.before().container(plan.container.number());
          if (present == null || !present.map().ranges().containsAll(plan.sources)) {
            throw new Refused(new Refusal.NotFound());
          }
          return draft.reshape(present, gone, plan.epks, intent);
        });
  }

  private synchronized void nameTargets() {
    ContainerEntry present = catalog.image().container(plan.container.number());
    if (present != null) {
      targetIds =
          present.map().ranges().stream()
              .filter(range -> intent.partitions().contains(range.partition()))
              .map(MappedRange::id)
              .toList();
    }
  }

  private void undo(String why) {
    try {
      persist(
          () -> {
            sources.resumeUpkeep();
            partitions.drop(intent.partitions());
            catalog.change(
                draft -> {
                  draft.remove(intent);
                  return null;
                });
          });
    } finally {
      enter(Phase.FAILED, why);
    }
  }

  /**
   * Until it works, or the server stops: a range must not stay shut because the disk was full for a
   * while.
   */
  private void persist(Runnable work) {
    while (true) {
      try {
        work.run();
        return;
      } catch (StorageFault e) {
        LOG.warn("{} cannot be undone yet: {}", this, e.getMessage());
        pause();
      }
    }
  }

  private void pauseForUpkeep() {
    if (++pausesForUpkeep > PAUSES_FOR_UPKEEP_MAX) {
      throw new Refused(new Refusal.Busy("Its items move to another indexing policy"));
    }
    pause();
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerStops();
    }
    stopIfClosed();
  }

  @Override
  public synchronized String toString() {
    return (plan.kind == Kind.SPLIT ? "Split " : "Merge ")
        + intent.number()
        + " of "
        + plan.container.asOwner().path()
        + ", ranges "
        + plan.sources.stream().map(MappedRange::id).toList()
        + " to "
        + (targetIds.isEmpty() ? plan.epks : targetIds)
        + " ("
        + plan.cause
        + ", "
        + phase
        + ", frozen for "
        + freeze.toMillis()
        + " ms)";
  }
}
