package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The part of a container that a feed or query covers. */
public sealed interface FeedScope extends Serializable {

  /** Everything. */
  record Whole() implements FeedScope {}

  /** One logical partition, or all that share a prefix of a hierarchical key. */
  record OfKey(PartitionKey key) implements FeedScope {}

  /** One partition key range by its id, also one that has been split since; or a part of it. */
  record OfRange(String rangeId, @Nullable EpkRange part) implements FeedScope {}
}
