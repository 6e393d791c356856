package io.orrery.partition;

import io.orrery.operation.ChangeStart;

/**
 * Which changes of a partition are wanted.
 *
 * @param inOrderOfTime whether later transactions are later by the clock: not where partitions with
 *     clocks of their own were merged
 */
public record ChangeTask(
    FeedSlice slice,
    ChangeStart start,
    boolean allVersions,
    boolean inOrderOfTime,
    int maxItems,
    long maxBytes) {}
