package io.orrery.partition;

import io.orrery.operation.ItemRule;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.value.ItemBody;
import java.util.List;

/** What a partition is asked to do in one logical partition of its range. */
public sealed interface ItemTask {
  LogicalKey key();

  /** Whether a query decides about it, which may take more than the writer has time for. */
  default boolean isConditional() {
    return false;
  }

  record Create(LogicalKey key, ItemBody item) implements ItemTask {}

  record Upsert(LogicalKey key, ItemBody item, Precondition precondition) implements ItemTask {}

  record Read(LogicalKey key, Target target, Precondition precondition) implements ItemTask {}

  record Replace(LogicalKey key, Target target, ItemBody item, Precondition precondition)
      implements ItemTask {}

  record PatchOne(LogicalKey key, Target target, Patch patch, Precondition precondition)
      implements ItemTask {
    @Override
    public boolean isConditional() {
      return patch.condition() != null;
    }

    /** The same where the condition is known to hold. */
    PatchOne unconditional() {
      return new PatchOne(key, target, new Patch(patch.steps(), null), precondition);
    }
  }

  /** The members of the item over those that are there, or the item where nothing is. */
  record Merge(LogicalKey key, ItemBody item, Precondition precondition, ItemRule rule)
      implements ItemTask {}

  record Delete(LogicalKey key, Target target, Precondition precondition) implements ItemTask {}

  record DeleteAll(LogicalKey key) implements ItemTask {}

  /** All of these, in one transaction, or none. */
  record Batch(LogicalKey key, List<ItemTask> steps) implements ItemTask {
    public Batch {
      steps = List.copyOf(steps);
    }

    @Override
    public boolean isConditional() {
      for (int i = 0; i < steps.size(); i++) {
        if (steps.get(i).isConditional()) {
          return true;
        }
      }
      return false;
    }
  }

  /** A step that is known to fail: it decides about the batch when its turn comes. */
  record Refused(LogicalKey key, Refusal refusal) implements ItemTask {}
}
