package io.orrery.query;

import io.orrery.query.function.ValueKey;
import java.util.List;

/**
 * The values that rows of a group have in common. They have an order so that groups made to have
 * one hash are found in a tree instead of a list.
 */
record GroupKeys(List<ValueKey> values) implements Comparable<GroupKeys> {
  static final GroupKeys NONE = new GroupKeys(List.of());

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
