package io.orrery.routing;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;

/**
 * Where a feed goes on: in the segment behind the counter, then in all that lies beyond the
 * segment. The segment was one range when the position was made; since then it may have been split
 * or merged, and the position still means the same items.
 */
record FeedPosition(EpkRange segment, long afterCounter) {

  static FeedPosition parse(String text) {
    String[] parts = text.split("\\|", -1);
    return new FeedPosition(
        new EpkRange(new EffectivePartitionKey(parts[0]), new EffectivePartitionKey(parts[1])),
        Long.parseLong(parts[2]));
  }

  /** Only what was signed comes back, so nothing needs to be escaped or checked. */
  String text() {
    return segment.min().hex() + '|' + segment.max().hex() + '|' + afterCounter;
  }
}
