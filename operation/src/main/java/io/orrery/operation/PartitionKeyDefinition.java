package io.orrery.operation;

import java.util.List;

/**
 * Where a container finds the partition key in an item and how it hashes it.
 *
 * @param paths one list of property names per path; empty for a container without partition key
 */
public record PartitionKeyDefinition(List<List<String>> paths, Hashing hashing) {

  /** How a key becomes an effective partition key. */
  public enum Hashing {
    HASH_V1,
    HASH_V2,
    MULTI_HASH
  }

  public static final PartitionKeyDefinition NONE =
      new PartitionKeyDefinition(List.of(), Hashing.HASH_V1);

  public PartitionKeyDefinition {
    paths = paths.stream().map(List::copyOf).toList();
  }

  /** Whether the container has no partition key: all items form one logical partition. */
  public boolean isNone() {
    return paths.isEmpty();
  }
}
