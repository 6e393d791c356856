package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Answer.Position;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ReadInSession;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.Charges;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.routing.catalog.PartitionMap.Required;
import io.orrery.value.MalformedBody;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds reads to what their clients have seen before. Here all that was answered is visible at
 * once, so a read waits only when its token comes from elsewhere, or from a time that a restore
 * undid.
 */
final class Sessions implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between the first two looks; each pause is twice as long as the one before. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Catalog catalog;
  private final RangeLsns lsns;
  private final ItemTasks tasks;
  private final Budgets budgets;

  /** Reads that wait have places of their own: any token can require what is never reached. */
  private final Workers workers;

  /**
   * @param waitingMax how many reads may wait
   */
  Sessions(Catalog catalog, RangeLsns lsns, ItemTasks tasks, Budgets budgets, int waitingMax) {
    this.catalog = catalog;
    this.lsns = lsns;
    this.tasks = tasks;
    this.budgets = budgets;
    this.workers = new Workers(waitingMax);
  }

  /**
   * Begins a read once the ranges that it concerns have reached what it requires: at once on the
   * caller's thread where they are known to, otherwise on a thread that may wait for them.
   */
  void read(ReadInSession request, Database.Reply reply, Runnable read) {
    CatalogImage image = catalog.image();
    ContainerEntry container = image.container(request.container());
    List<Required> behind = container == null ? List.of() : behind(request, container);
    if (container == null || behind.isEmpty()) {
      read.run();
      return;
    }
    workers.run(
        reply,
        container.rid(),
        () -> {
          try {
            Position late = await(request.container(), behind, image, container);
            if (late == null) {
              read.run();
            } else {
              reply.answer(
                  new Answer(new Refusal.SessionNotAvailable(), Charges.REFUSED, null, late));
            }
          } catch (Refused e) {
            reply.answer(Answer.of(e.refusal(), RequestCharge.NONE));
          } catch (RuntimeException | Error e) {
            reply.fault(e);
          }
        });
  }

  /** What is not known to be reached. Reads the LSN of at most one range from the storage. */
  private List<Required> behind(ReadInSession request, ContainerEntry container) {
    List<Required> behind =
        container.map().required(request.lsnByRange()).stream()
            .filter(required -> lsns.known(required.range()) < required.lsn())
            .toList();
    if (behind.isEmpty() || !(request.read() instanceof Operation.ReadItem item)) {
      return behind;
    }
    try {
      long own = container.map().find(tasks.of(item, container).key().epk()).number();
      return behind.stream()
          .filter(required -> required.range().number() == own)
          .filter(required -> lsns.read(required.range()) < required.lsn())
          .toList();
    } catch (Refused | MalformedBody e) {
      return List.of(); // the read itself says what is wrong
    }
  }

  /**
   * Waits for the ranges that are behind according to the storage as well. A wait that ends with a
   * refusal is charged.
   *
   * @return the position of a range that stays behind, or null
   * @throws Refused when a range that is behind has spent its share of the throughput
   */
  private @Nullable Position await(
      ContainerRef named, List<Required> behind, CatalogImage image, ContainerEntry container) {
    List<Required> waiting =
        behind.stream().filter(required -> late(named, required) != null).toList();
    if (waiting.isEmpty()) {
      return null;
    }
    Drawn drawn = budgets.draw(image, container, waiting.getFirst().range(), Charges.REFUSED);
    Position late = null;
    try {
      late = await(named, waiting);
    } finally {
      drawn.settle(late == null ? RequestCharge.NONE : Charges.REFUSED, null);
    }
    return late;
  }

  /**
   * Waits for one range after the other: what was reached stays so.
   *
   * @return the position of the first range that stays behind, or null
   */
  private @Nullable Position await(ContainerRef named, List<Required> waiting) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (Required required : waiting) {
      lsns.confirm(required.range());
      Position late = late(named, required);
      for (long pause = PAUSE_NANOS; late != null; pause *= 2) {
        if (!sleep(Math.min(pause, deadline - System.nanoTime()))) {
          return late;
        }
        late = late(named, required);
      }
    }
    return null;
  }

  /**
   * The position of a range of the present map that is behind: the one that was named may have been
   * split. The partition of a range that was split meanwhile may be gone, so it is behind only
   * where the map is still the same.
   */
  private @Nullable Position late(ContainerRef named, Required required) {
    ContainerEntry present = catalog.image().container(named);
    while (present != null) {
      Position late = late(present, required);
      ContainerEntry now = catalog.image().container(named);
      if (late == null || now == present) {
        return late;
      }
      present = now;
    }
    return null; // the read itself says that there is no such container
  }

  private @Nullable Position late(ContainerEntry container, Required required) {
    for (MappedRange range : container.map().overlapping(required.range().epks())) {
      long lsn = lsns.read(range);
      if (lsn < required.lsn()) {
        return new Position(range.id(), lsn, lsn);
      }
    }
    return null;
  }

  /** False when there is no time left or the thread was interrupted. */
  private static boolean sleep(long nanos) {
    if (nanos <= 0) {
      return false;
    }
    try {
      Thread.sleep(Duration.ofNanos(nanos));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns when the reads that wait have ended. */
  @Override
  public void close() {
    workers.close();
  }
}
