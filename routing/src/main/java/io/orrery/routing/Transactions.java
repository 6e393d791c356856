package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Etag;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.Commit;
import io.orrery.partition.LogicalKey;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.Transaction;
import io.orrery.partition.TransactionStale;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code as a transaction of one logical partition: again from its beginning when others
 * wrote what it rests on or the partition has moved, and alone after it lost twice.
 */
final class Transactions {
  private static final int LOST_BESIDE_OTHERS_MAX = 2;

  /** Alone it loses only where writing stalls, which may pass. */
  private static final Duration STALLED_MAX = Duration.ofSeconds(20);

  private static final RequestCharge ESTIMATE = RequestCharge.units(5);

  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final ItemTasks tasks;
  private final ItemQueries queries;

  Transactions(
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      ItemTasks tasks,
      ItemQueries queries) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.tasks = tasks;
    this.queries = queries;
  }

  /** What is run, perhaps several times: it must have no effect but through its session. */
  interface Code {
    /**
     * Runs once. A refusal as its outcome, or an exception, undoes what it wrote. What the session
     * throws it may pass on or lose: after that the outcome does not count.
     */
    Outcome run(TransactionSession session);

    /**
     * The outcome for the client once all is committed.
     *
     * @param written the items as they are now, by the etags that the session showed
     */
    Outcome committed(Outcome outcome, Map<Etag, StoredItem> written);

    /** Whether the client has gone or the time is over; queries check it while they run. */
    default boolean isCancelled() {
      return false;
    }
  }

  /** How it went so far with one that may have to run several times. */
  private static final class Tries {
    private final long began = System.nanoTime();
    private int lost;

    /** What the attempts in the present range have cost, also those that lost. */
    private RequestCharge charge = RequestCharge.NONE;

    boolean isAlone() {
      return lost >= LOST_BESIDE_OTHERS_MAX;
    }

    boolean areOver() {
      return System.nanoTime() - began > STALLED_MAX.toNanos();
    }
  }

  /**
   * Runs code in the logical partition that a key names; blocks.
   *
   * @param given null only in containers without a partition key
   * @param mark null where nobody else can have been asked for it
   * @throws Refused when it cannot even begin
   */
  Answer run(ContainerRef ref, @Nullable PartitionKey given, @Nullable Mark mark, Code code) {
    var tries = new Tries();
    long term = partitions.term();
    return MapIsStale.again(
        partitions,
        () -> {
          if (term != partitions.term()) {
            throw new NotHere("This node was taken for dead meanwhile");
          }
          return attempts(ref, given, mark, code, tries);
        });
  }

  private Answer attempts(
      ContainerRef ref, @Nullable PartitionKey given, @Nullable Mark mark, Code code, Tries tries) {
    CatalogImage image = catalog.image();
    ContainerEntry container = ItemRouter.resolve(image, ref);
    LogicalKey key = tasks.required(given, container);
    MappedRange range = container.map().find(key.epk());
    Budget budget = budgets.of(image, container, range);
    budgets.admit(budget, ESTIMATE, range);
    tries.charge = RequestCharge.NONE;
    try {
      while (true) {
        Partition partition = partitions.served(container, range);
        if (partition == null) {
          throw new MapIsStale(range.partition());
        }
        boolean alone = tries.isAlone();
        try {
          return attempt(container, range, partition, key, mark, code, tries);
        } catch (PartitionMoved e) {
          partitions.forget(range, partition);
          throw new MapIsStale(range.partition());
        } catch (TransactionStale e) {
          tries.lost++;
          if (alone && (tries.areOver() || Thread.currentThread().isInterrupted())) {
            return Answer.of(new Refusal.Contended(), tries.charge);
          }
        }
      }
    } finally {
      budget.settle(ESTIMATE, tries.charge, key.key());
    }
  }

  private Answer attempt(
      ContainerEntry container,
      MappedRange range,
      Partition partition,
      LogicalKey key,
      @Nullable Mark mark,
      Code code,
      Tries tries) {
    try (Transaction transaction =
        tries.isAlone() ? partition.beginAlone(key) : partition.begin(key)) {
      var session =
          new TransactionSession(container, transaction, tasks, queries, code::isCancelled);
      session.charge(tries.charge);
      try {
        return attempt(range, transaction, session, mark, code);
      } finally {
        tries.charge = session.charge();
      }
    }
  }

  private static Answer attempt(
      MappedRange range,
      Transaction transaction,
      TransactionSession session,
      @Nullable Mark mark,
      Code code) {
    Refusal done = mark == null ? null : transaction.refusalOf(mark);
    Outcome outcome = done == null ? session.run(code) : done;
    long lsn = transaction.lsn();
    if (!(outcome instanceof Refusal)) {
      switch (transaction.commit(mark)) {
        case Commit.Refused(Refusal refusal) -> outcome = refusal;
        case Commit.Done(long committed, var written) -> {
          lsn = committed;
          outcome = code.committed(outcome, written);
        }
      }
    }
    return new Answer(
        outcome,
        session.charge(),
        session.container().asOwner(),
        new Answer.Position(range.id(), lsn, lsn));
  }
}
