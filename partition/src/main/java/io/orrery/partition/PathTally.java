package io.orrery.partition;

import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Counts the items that have terms at each path; terms are added in the order of their paths. */
final class PathTally {
  private final Map<Long, Long> counts = new HashMap<>();
  private Roaring64Bitmap items = new Roaring64Bitmap();
  private long path;

  /** Adds a term; an item has several at one path where paths share a hash. */
  void add(long next, long counter) {
    if (next != path) {
      close();
      path = next;
    }
    items.addLong(counter);
  }

  long of(long wanted) {
    close();
    return counts.getOrDefault(wanted, 0L);
  }

  private void close() {
    if (!items.isEmpty()) {
      counts.merge(path, items.getLongCardinality(), Long::sum);
      items = new Roaring64Bitmap();
    }
  }
}
