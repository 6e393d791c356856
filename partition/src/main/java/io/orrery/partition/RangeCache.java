package io.orrery.partition;

import io.orrery.operation.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The last long ranges that were read, so that the pages of a query do not read them again and
 * again while nothing is written. Shared by all queries of a partition.
 */
final class RangeCache {
  private static final int RANGES_MAX = 16;
  private static final long BYTES_MAX = 4 << 20;
  private static final int WORTH_ENTRIES = 1_000;

  private final Map<List<Bytes>, Range> ranges = new LinkedHashMap<>(32, 0.75f, true);
  private long sizeBytes;

  /**
   * A range in one state of the partition.
   *
   * @param counters nobody changes them; null when there were more entries than were wanted
   */
  record Range(long version, int entries, @Nullable Roaring64Bitmap counters) {
    long sizeBytes() {
      return counters == null ? 0 : counters.getLongSizeInBytes();
    }
  }

  /** The range, if it was read from that state up to that many entries. */
  synchronized @Nullable Range find(List<Bytes> bounds, long version, int entriesMax) {
    Range found = ranges.get(bounds);
    boolean fits =
        found != null
            && found.version == version
            && (found.counters == null) == (found.entries > entriesMax);
    return fits ? found : null;
  }

  synchronized void keep(List<Bytes> bounds, Range range) {
    if (range.entries < WORTH_ENTRIES || sizeBytes(bounds, range) > BYTES_MAX / 2) {
      return;
    }
    Range before = ranges.put(bounds, range);
    sizeBytes += sizeBytes(bounds, range) - (before == null ? 0 : sizeBytes(bounds, before));
    var oldest = ranges.entrySet().iterator();
    while (ranges.size() > RANGES_MAX || sizeBytes > BYTES_MAX) {
      Map.Entry<List<Bytes>, Range> gone = oldest.next();
      sizeBytes -= sizeBytes(gone.getKey(), gone.getValue());
      oldest.remove();
    }
  }

  /** Includes the bounds: those of many long texts take more than what was found. */
  private static long sizeBytes(List<Bytes> bounds, Range range) {
    return range.sizeBytes() + bounds.stream().mapToLong(Bytes::size).sum();
  }
}
