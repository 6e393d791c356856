package io.orrery.storage;

/** Names a partition within an account's storage; zero and up. */
public record PartitionId(long value) implements Comparable<PartitionId> {
  public PartitionId {
    if (value < 0) {
      throw new IllegalArgumentException("A partition id is not negative: " + value);
    }
  }

  @Override
  public int compareTo(PartitionId other) {
    return Long.compare(value, other.value);
  }
}
