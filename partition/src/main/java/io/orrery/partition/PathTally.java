package io.orrery.partition;

import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** How many items have terms at paths, told in the order of the paths. */
final class PathTally {
  private final Map<Long, Long> counts = new HashMap<>();
  private Roaring64Bitmap items = new Roaring64Bitmap();
  private long path;

  /** Notes a term; an item may have several where paths share a hash. */
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
