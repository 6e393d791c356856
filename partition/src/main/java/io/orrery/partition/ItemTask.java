package io.orrery.partition;

import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.value.ItemBody;

/** What a partition is asked to do in one logical partition of its range. */
public sealed interface ItemTask {
  LogicalKey key();

  record Create(LogicalKey key, ItemBody item) implements ItemTask {}

  record Upsert(LogicalKey key, ItemBody item, Precondition precondition) implements ItemTask {}

  record Read(LogicalKey key, Target target, Precondition precondition) implements ItemTask {}

  record Replace(LogicalKey key, Target target, ItemBody item, Precondition precondition)
      implements ItemTask {}

  record PatchOne(LogicalKey key, Target target, Patch patch, Precondition precondition)
      implements ItemTask {}

  record Delete(LogicalKey key, Target target, Precondition precondition) implements ItemTask {}

  record DeleteAll(LogicalKey key) implements ItemTask {}
}
