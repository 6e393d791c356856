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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
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

  /** Each of them holds the text of an item, and may compute for a second. */
  private static final int DECIDED_AT_ONCE = 8;

  /** More of one logical partition would hardly have their turn in time. */
  private static final int WAITING_MAX = 250;

  private static final Duration TURN_MAX = Duration.ofSeconds(5);

  private final Partition partition;
  private final Writer writer;
  private final ConditionTurns turns = new ConditionTurns(DECIDED_AT_ONCE, WAITING_MAX);

  ConditionalWrites(Partition partition, Writer writer) {
    this.partition = partition;
    this.writer = writer;
  }

  /** How many wait until others are decided. */
  int waiting() {
    return turns.waiting();
  }

  /**
   * Does the task; blocks, and computes for some time.
   *
   * @param cancelled whether nobody waits for it any more: then it ends, unless it is written
   *     already or about to be
   * @throws PartitionMoved when the range is served elsewhere now
   * @throws io.orrery.storage.StorageFault when the storage failed; nothing was done
   */
  PartitionAnswer run(ItemTask task, @Nullable Mark mark, BooleanSupplier cancelled) {
    RequestCharge decided = RequestCharge.NONE;
    for (int lost = 0; lost < OVERTAKEN_MAX + ALONE_MAX; lost++) {
      boolean alone = lost >= OVERTAKEN_MAX;
      if (!turns.take(task.key(), TURN_MAX)) {
        return refused(writer.waitingWrites().full()).plus(decided);
      }
      try (var turn = new Turn(task.key());
          Transaction transaction = partition.beginDrawn(task.key(), alone)) {
        transaction.cancelledBy(cancelled);
        PartitionAnswer answer = once(transaction, task, mark, turn);
        // Also for an attempt that lost: it took as long.
        decided = decided.plus(transaction.takeConditionCharge());
        if (answer != null) {
          return answer.plus(decided);
        }
      } catch (TransactionStale notAlone) {
        // It could not have the logical partition for itself in time.
      }
    }
    return refused(new Refusal.Contended()).plus(decided);
  }

  /** One attempt; null when others wrote what it looked at, so that it is evaluated again. */
  private static @Nullable PartitionAnswer once(
      Transaction transaction, ItemTask task, @Nullable Mark mark, Turn turn) {
    try {
      DoneBefore done = mark == null ? null : transaction.doneBefore(mark);
      if (done != null) {
        return done.answer(task, transaction.lsn());
      }
      return task instanceof ItemTask.PatchOne patch
          ? patch(transaction, patch, mark, turn)
          : attempt(transaction, task, mark, turn);
    } catch (TransactionStale overtaken) {
      return null;
    }
  }

  /** The right to decide a condition; ends before the commit, which others need not wait for. */
  private final class Turn implements AutoCloseable {
    private final LogicalKey key;
    private boolean over;

    Turn(LogicalKey key) {
      this.key = key;
    }

    @Override
    public void close() {
      if (!over) {
        over = true;
        turns.giveBack(key);
      }
    }
  }

  private PartitionAnswer refused(Refusal refusal) {
    long lsn = partition.lsn();
    return new PartitionAnswer(refusal, RequestCharge.NONE, lsn, lsn);
  }

  /** A single patch is left to the writer, for the version that its condition was decided on. */
  private static PartitionAnswer patch(
      Transaction transaction, ItemTask.PatchOne task, @Nullable Mark mark, Turn turn) {
    ItemTask decided;
    try {
      decided = transaction.decide(task);
    } catch (QueryRefused e) {
      decided = new ItemTask.Refused(task.key(), refusal(e));
    }
    turn.close();
    if (decided instanceof ItemTask.Refused(var key, var refusal)) {
      long lsn = transaction.lsn();
      return new PartitionAnswer(refusal, Charges.REFUSED, lsn, lsn);
    }
    PartitionAnswer answer = transaction.run(decided, mark);
    if (answer.outcome() instanceof Refusal.PreconditionFailed) {
      throw new TransactionStale();
    }
    return answer;
  }

  private static PartitionAnswer attempt(
      Transaction transaction, ItemTask task, @Nullable Mark mark, Turn turn) {
    List<ItemTask> steps =
        task instanceof ItemTask.Batch(var key, var several) ? several : List.of(task);
    var done = new ArrayList<Outcome.Step>(steps.size());
    var answers = transaction.stepAnswers();
    for (ItemTask step : steps) {
      transaction.rest(step);
      Outcome.Step ended = execute(transaction, step);
      Outcome outcome = answers.add(ended.outcome());
      done.add(new Outcome.Step(outcome, ended.charge()));
      if (outcome instanceof Refusal) {
        return answer(Outcome.StepsDone.failed(done, steps.size()), done, transaction.lsn());
      }
    }
    turn.close();
    return switch (transaction.commit(mark)) {
      // Of the batch as a whole, not of any step.
      case Commit.Refused(Refusal refusal) -> answer(refusal, List.of(), transaction.lsn());
      case Commit.Done(long lsn, var written) -> {
        done.replaceAll(
            step -> new Outcome.Step(committed(step.outcome(), written), step.charge()));
        yield answer(new Outcome.StepsDone(done), done, lsn);
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

  private static PartitionAnswer answer(Outcome outcome, List<Outcome.Step> done, long lsn) {
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
