package io.orrery.partition;

import io.orrery.operation.EpkRange;

/** The items of a partition that a feed covers. */
public sealed interface FeedSlice {

  record OneKey(LogicalKey key) implements FeedSlice {}

  record Range(EpkRange range) implements FeedSlice {}
}
