package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.Stretch;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Reads ranges of entries whose keys end with counters. */
final class RangeReader {
  private static final int STRETCH_ENTRIES = 2_000;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final RangeCache cache;
  private final WritesMeanwhile meanwhile;
  private boolean sameState;

  RangeReader(Snapshot snapshot, QueryTally tally, RangeCache cache, WritesMeanwhile meanwhile) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.cache = cache;
    this.meanwhile = meanwhile;
  }

  /** The counters of all entries; null when there are more than so many. */
  @Nullable Roaring64Bitmap read(List<Stretch.Range> ranges, int entriesMax) {
    var bounds = new ArrayList<Bytes>(2 * ranges.size());
    for (Stretch.Range range : ranges) {
      bounds.add(Bytes.of(Keys.indexFrom(range.fromInclusive().array())));
      bounds.add(Bytes.of(Keys.indexFrom(range.toExclusive().array())));
    }
    return readBounds(bounds, entriesMax);
  }

  @Nullable Roaring64Bitmap read(byte[] from, byte[] to, int entriesMax) {
    return readBounds(List.of(Bytes.of(from), Bytes.of(to)), entriesMax);
  }

  /** What was read before costs as much as reading it: the price must not depend on luck. */
  private @Nullable Roaring64Bitmap readBounds(List<Bytes> bounds, int entriesMax) {
    Head head = snapshot.head();
    long version = head == null ? 0 : head.version();
    RangeCache.Range known = cache.find(bounds, version, entriesMax);
    if (known != null) {
      tally.indexEntriesRead += Math.min(known.entries(), entriesMax + 1);
      return known.counters();
    }
    sameState = true;
    var counters = new Roaring64Bitmap();
    int left = entriesMax;
    for (int i = 0; i < bounds.size() && left >= 0; i += 2) {
      left = read(bounds.get(i).array(), bounds.get(i + 1).array(), left, version, counters);
    }
    var range = new RangeCache.Range(version, entriesMax - left, left < 0 ? null : counters);
    if (sameState) {
      cache.keep(bounds, range);
    }
    return range.counters();
  }

  /** How many more may be read; negative when that was not enough. */
  private int read(byte[] from, byte[] to, int entriesMax, long version, Roaring64Bitmap into) {
    int left = entriesMax;
    byte[] start = from;
    boolean more = true;
    while (more && left >= 0) {
      Page page =
          snapshot.scan(Scan.forward(start, to).atMost(Math.min(left + 1, STRETCH_ENTRIES)));
      List<Entry> entries = page.entries();
      Head head = page.head();
      meanwhile.saw(head);
      sameState &= head != null && head.version() == version;
      tally.readEntries(entries.size());
      left -= entries.size();
      for (Entry entry : entries) {
        into.addLong(Keys.counterAtEnd(entry.key()));
      }
      more = page.more();
      if (more) {
        start = Keys.after(entries.getLast().key());
      }
    }
    return left;
  }

  /** All terms with these first bytes, which are not all FF. */
  static Stretch.Range beginningWith(byte[] prefix) {
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xFF) {
      last--;
    }
    byte[] end = Arrays.copyOf(prefix, last + 1);
    end[last]++;
    return new Stretch.Range(Bytes.of(prefix), Bytes.of(end));
  }
}
