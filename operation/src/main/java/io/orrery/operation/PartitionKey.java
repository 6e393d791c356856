package io.orrery.operation;

import java.io.Serializable;
import java.util.List;

/**
 * The value of a partition key, one component per path; fewer name a prefix of a hierarchical key.
 * Containers without a partition key use the empty one.
 */
public record PartitionKey(List<KeyComponent> components) implements Serializable {
  public static final PartitionKey EMPTY = new PartitionKey(List.of());

  public PartitionKey {
    components = List.copyOf(components);
  }

  public static PartitionKey of(KeyComponent... components) {
    return new PartitionKey(List.of(components));
  }

  public static PartitionKey of(String text) {
    return of(new KeyComponent.Text(text));
  }

  /** Whether the first components are those of the other key. */
  public boolean beginsWith(PartitionKey prefix) {
    int size = prefix.components.size();
    return components.size() >= size && components.subList(0, size).equals(prefix.components);
  }
}
