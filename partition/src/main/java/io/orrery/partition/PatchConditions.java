package io.orrery.partition;

import io.orrery.operation.Memory;
import io.orrery.operation.Patch;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.query.Predicate;
import io.orrery.query.QueryBudget;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides the conditions of a transaction's patches, all of them within one budget of time and
 * memory that begins with the first.
 */
final class PatchConditions implements AutoCloseable {
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(1);

  private @Nullable QueryBudget budget;

  /**
   * Whether the item meets the condition of the patch.
   *
   * @throws io.orrery.query.syntax.QueryRefused when that cannot be decided within the budget
   */
  boolean holds(Patch patch, ItemRecord item) {
    var predicate = Predicate.compile(Objects.requireNonNull(patch.condition()));
    if (budget == null) {
      long deadline = System.nanoTime() + TIME_NANOS;
      budget = QueryBudget.of(Memory.process(), deadline, () -> false);
    }
    return predicate.test(ItemEntries.contentOf(item), budget);
  }

  @Override
  public void close() {
    if (budget != null) {
      budget.close();
    }
  }
}
