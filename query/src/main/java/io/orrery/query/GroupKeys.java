package io.orrery.query;

import io.orrery.query.function.ValueKey;
import java.util.List;

/**
 * The values that rows of a group have in common. They have an order so that groups made to have
 * one hash are found in a tree instead of a list.
 *
 * @param hash of the values: it is asked for more than once, and may take a pass over megabytes
 */
record GroupKeys(List<ValueKey> values, int hash) implements Comparable<GroupKeys> {
  static final GroupKeys NONE = of(List.of());

  /** Counts as work of the keys. */
  static GroupKeys of(List<ValueKey> values) {
    return new GroupKeys(values, values.hashCode());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupKeys that && hash == that.hash && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(GroupKeys other) {
    for (int i = 0; i < values.size(); i++) {
      int by = values.get(i).compareTo(other.values.get(i));
      if (by != 0) {
        return by;
      }
    }
    return 0;
  }
}
