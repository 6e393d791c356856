package io.orrery.partition;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;

/** A partition key with its hash: names a logical partition. */
public record LogicalKey(EffectivePartitionKey epk, PartitionKey key) {

  public static LogicalKey of(PartitionKey key, PartitionKeyDefinition definition) {
    return new LogicalKey(EffectivePartitionKey.of(key, definition), key);
  }
}
