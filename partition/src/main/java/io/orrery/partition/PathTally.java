package io.orrery.partition;

import java.util.HashMap;
import java.util.Map;

/** How often paths occurred, told in their order: an item has one term at a path outside arrays. */
final class PathTally {
  private final Map<Long, Long> counts = new HashMap<>();
  private long path;
  private long count;

  void add(long next) {
    if (next != path) {
      close();
      path = next;
    }
    count++;
  }

  long of(long wanted) {
    close();
    return counts.getOrDefault(wanted, 0L);
  }

  private void close() {
    if (count > 0) {
      counts.merge(path, count, Long::sum);
      count = 0;
    }
  }
}
