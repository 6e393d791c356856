package io.orrery.partition;

import io.orrery.operation.Limits;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.index.IndexPolicy;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What a partition must know of its container.
 *
 * @param rangeNumber the number of the range, the upper part of every document counter made here
 * @param allVersions whether the history keeps images of the items
 * @param ticks the time, in {@link io.orrery.operation.Ticks}
 * @param splits whether the partition may be split when it is full; otherwise it refuses to grow
 */
public record PartitionSettings(
    long rangeNumber,
    PartitionKeyDefinition keyDefinition,
    IndexPolicy indexPolicy,
    UniqueKeys uniqueKeys,
    Limits limits,
    boolean splits,
    boolean allVersions,
    Duration historyRetention,
    TimeToLive timeToLive,
    LongSupplier ticks) {
  private static final long COUNTERS_PER_RANGE = 1L << 40;

  /** The document counter of a document sequence of this range. */
  long counterOf(long sequence) {
    return rangeNumber * COUNTERS_PER_RANGE + sequence;
  }
}
