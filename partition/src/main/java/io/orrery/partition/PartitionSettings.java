package io.orrery.partition;

import io.orrery.operation.Limits;
import io.orrery.operation.PartitionKeyDefinition;
import java.time.Duration;

/**
 * What a partition must know of its container.
 *
 * @param rangeNumber the number of the range, the upper part of every document counter made here
 */
public record PartitionSettings(
    long rangeNumber,
    PartitionKeyDefinition keyDefinition,
    IndexedPaths indexedPaths,
    UniqueKeys uniqueKeys,
    Limits limits,
    Duration historyRetention) {}
