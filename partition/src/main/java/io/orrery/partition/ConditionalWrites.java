package io.orrery.partition;

import io.orrery.operation.Etag;
import io.orrery.operation.Mark;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does tasks whose patches have conditions. Conditions are queries, which the writer has no time
 * for: they are decided beside it, in a transaction that commits only if the versions they saw are
 * still there. After it was overtaken three times the transaction has its logical partition for
 * itself.
 */
final class ConditionalWrites {
  private static final int OVERTAKEN_MAX = 3;
  private static final int ALONE_MAX = 2;

  private final Partition partition;

  ConditionalWrites(Partition partition) {
    this.partition = partition;
  }

  /**
   * Does the task; blocks, and computes for some time.
   *
   * @throws PartitionMoved when the range is served elsewhere now
   * @throws io.orrery.storage.StorageFault when the storage failed; nothing was done
   */
  PartitionAnswer run(ItemTask task, @Nullable Mark mark) {
    for (int lost = 0; lost < OVERTAKEN_MAX + ALONE_MAX; lost++) {
      boolean alone = lost >= OVERTAKEN_MAX;
      try (Transaction transaction =
          alone ? partition.beginAlone(task.key()) : partition.begin(task.key())) {
        DoneBefore done = mark == null ? null : transaction.doneBefore(mark);
        return done == null
            ? attempt(transaction, task, mark)
            : done.answer(task, transaction.lsn());
      } catch (TransactionStale overtaken) {
        // Others wrote what it looked at: it is evaluated again.
      }
    }
    long lsn = partition.lsn();
    return new PartitionAnswer(new Refusal.Contended(), RequestCharge.NONE, lsn, lsn);
  }

  private static PartitionAnswer attempt(
      Transaction transaction, ItemTask task, @Nullable Mark mark) {
    boolean batch = task instanceof ItemTask.Batch;
    List<ItemTask> steps =
        task instanceof ItemTask.Batch(var key, var several) ? several : List.of(task);
    var done = new ArrayList<Outcome.Step>(steps.size());
    for (ItemTask step : steps) {
      transaction.rest(step);
      Outcome.Step ended = execute(transaction, step);
      done.add(ended);
      if (ended.outcome() instanceof Refusal) {
        return failed(done, steps.size(), batch, transaction.lsn());
      }
    }
    return switch (transaction.commit(mark)) {
      case Commit.Refused(Refusal refusal) -> {
        done.set(done.size() - 1, new Outcome.Step(refusal, done.getLast().charge()));
        yield failed(done, steps.size(), batch, transaction.lsn());
      }
      case Commit.Done(long lsn, var written) -> {
        done.replaceAll(
            step -> new Outcome.Step(committed(step.outcome(), written), step.charge()));
        Outcome outcome = batch ? new Outcome.StepsDone(done) : done.getFirst().outcome();
        yield new PartitionAnswer(outcome, charge(done), lsn, lsn);
      }
    };
  }

  private static Outcome.Step execute(Transaction transaction, ItemTask step) {
    try {
      PartitionAnswer answer = transaction.execute(step);
      return new Outcome.Step(answer.outcome(), answer.charge());
    } catch (QueryRefused e) {
      return new Outcome.Step(refusal(e), Charges.REFUSED);
    }
  }

  private static Refusal refusal(QueryRefused refused) {
    return switch (refused.kind()) {
      case QUERY ->
          new Refusal.BadQuery(new String(Json.write(refused.body()), StandardCharsets.UTF_8));
      case OUT_OF_TIME ->
          new Refusal.TimedOut(
              "The condition of the patch took longer than a second, nothing was done. Let it look"
                  + " at less: join, search and match shorter arrays and texts.");
      case BUSY -> new Refusal.Unavailable(refused.message());
    };
  }

  private static PartitionAnswer failed(
      List<Outcome.Step> done, int steps, boolean batch, long lsn) {
    Outcome outcome = batch ? Outcome.StepsDone.failed(done, steps) : done.getLast().outcome();
    return new PartitionAnswer(outcome, charge(done), lsn, lsn);
  }

  private static RequestCharge charge(List<Outcome.Step> done) {
    RequestCharge sum = RequestCharge.NONE;
    for (Outcome.Step step : done) {
      sum = sum.plus(step.charge());
    }
    return sum;
  }

  /** Items that were written have their etags and times only now. */
  private static Outcome committed(Outcome outcome, Map<Etag, StoredItem> written) {
    return switch (outcome) {
      case Outcome.ItemCreated(var item) -> new Outcome.ItemCreated(now(item, written));
      case Outcome.ItemReplaced(var item) -> new Outcome.ItemReplaced(now(item, written));
      case Outcome.ItemRead(var item) -> new Outcome.ItemRead(now(item, written));
      default -> outcome;
    };
  }

  private static StoredItem now(StoredItem item, Map<Etag, StoredItem> written) {
    return written.getOrDefault(item.etag(), item);
  }
}
