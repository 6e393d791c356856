package io.orrery.partition;

import io.orrery.operation.Memory;
import io.orrery.operation.Patch;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.Predicate;
import io.orrery.query.QueryBudget;
import io.orrery.value.RawJson;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides the conditions of a transaction's patches, all of them within one budget of time and
 * memory that begins with the first, and counts what that costs.
 */
final class PatchConditions implements AutoCloseable {
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The record, the copy of its body, and where the elements of its arrays begin. */
  private static final int TEXTS = 4;

  private final Memory memory;
  private volatile BooleanSupplier cancelled = () -> false;
  private @Nullable QueryBudget budget;
  private RequestCharge charge = RequestCharge.NONE;

  PatchConditions(Memory memory) {
    this.memory = memory;
  }

  /** Ends what is decided from now on when nobody waits for it any more. */
  void cancelledBy(BooleanSupplier gone) {
    cancelled = gone;
  }

  /** The price of what was decided since the last call, whether or not it came to an end. */
  RequestCharge takeCharge() {
    RequestCharge taken = charge;
    charge = RequestCharge.NONE;
    return taken;
  }

  /** Why a conditional patch does not change an item; null when it does. */
  @Nullable Refusal refusal(ItemTask.PatchOne task, @Nullable ItemRecord present) {
    Refusal refusal = decided(task, present);
    if (refusal != null) {
      charge = charge.plus(Charges.beyondRefused(present));
    }
    return refusal;
  }

  private @Nullable Refusal decided(ItemTask.PatchOne task, @Nullable ItemRecord present) {
    Refusal refusal = Conditions.check(present, task.precondition());
    if (refusal != null || present == null) {
      return refusal;
    }
    try {
      return holds(task.patch(), present) ? null : new Refusal.ConditionNotMet();
    } catch (UnreadableItem e) {
      return e.refusal();
    }
  }

  /**
   * Whether the item meets the condition of the patch. The condition reads the stored text: parsed,
   * an item takes up to thirty times as much memory.
   *
   * @throws io.orrery.query.syntax.QueryRefused when that cannot be decided within the budget
   * @throws UnreadableItem when the text is damaged
   */
  private boolean holds(Patch patch, ItemRecord item) {
    String condition = Objects.requireNonNull(patch.condition());
    charge = charge.plus(Charges.conditionText(condition.length()));
    var predicate = Predicate.compile(condition);
    QueryBudget within = budget();
    long bytes = TEXTS * (long) item.value().length;
    within.take(bytes);
    long before = within.steps();
    try {
      within.look();
      return predicate.test(RawJson.object(item.item().body().bytes().array()), within);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      UnreadableItem.refuse(item); // text that is not checked may end in these
      throw e;
    } finally {
      within.giveBack(bytes);
      charge = charge.plus(Charges.condition(within.steps() - before, item.bodyBytes()));
    }
  }

  private QueryBudget budget() {
    if (budget == null) {
      budget = QueryBudget.of(memory, System.nanoTime() + TIME_NANOS, this::isCancelled);
    }
    return budget;
  }

  private boolean isCancelled() {
    return cancelled.getAsBoolean();
  }

  @Override
  public void close() {
    if (budget != null) {
      budget.close();
    }
  }
}
