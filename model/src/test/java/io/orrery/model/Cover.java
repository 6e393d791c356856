package io.orrery.model;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyRange;

/** A part of the container that is read. */
record Cover(FeedScope scope, EpkRange epks) {
  static final Cover WHOLE = new Cover(new FeedScope.Whole(), EpkRange.ALL);

  static Cover of(String key) {
    PartitionKey named = PartitionKey.of(key);
    return new Cover(
        new FeedScope.OfKey(named),
        EffectivePartitionKey.rangeOf(named, PartitionTasks.DEFINITION));
  }

  static Cover of(PartitionKeyRange range) {
    return new Cover(new FeedScope.OfRange(range.id(), null), range.range());
  }

  boolean holds(String key) {
    return epks.contains(PartitionTasks.key(key).epk());
  }
}
