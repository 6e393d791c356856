package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.Stretch;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Reads ranges of entries whose keys end with counters. */
final class RangeReader {
  private static final int STRETCH_ENTRIES = 2_000;

  private final Snapshot snapshot;
  private final QueryTally tally;

  RangeReader(Snapshot snapshot, QueryTally tally) {
    this.snapshot = snapshot;
    this.tally = tally;
  }

  /** The counters of all entries; null when there are more than so many. */
  @Nullable Roaring64Bitmap read(List<Stretch.Range> ranges, int entriesMax) {
    var counters = new Roaring64Bitmap();
    int left = entriesMax;
    for (Stretch.Range range : ranges) {
      left =
          read(
              Keys.indexFrom(range.fromInclusive().array()),
              Keys.indexFrom(range.toExclusive().array()),
              left,
              counters);
      if (left < 0) {
        return null;
      }
    }
    return counters;
  }

  @Nullable Roaring64Bitmap read(byte[] from, byte[] to, int entriesMax) {
    var counters = new Roaring64Bitmap();
    return read(from, to, entriesMax, counters) < 0 ? null : counters;
  }

  /** How many more may be read; negative when that was not enough. */
  private int read(byte[] from, byte[] to, int entriesMax, Roaring64Bitmap into) {
    int left = entriesMax;
    byte[] start = from;
    boolean more = true;
    while (more) {
      Page page =
          snapshot.scan(Scan.forward(start, to).atMost(Math.min(left + 1, STRETCH_ENTRIES)));
      List<Entry> entries = page.entries();
      tally.indexEntriesRead += entries.size();
      left -= entries.size();
      if (left < 0) {
        return left;
      }
      for (Entry entry : entries) {
        into.addLong(Keys.counterAtEnd(entry.key()));
      }
      more = page.more();
      if (more) {
        start = after(entries.getLast().key());
      }
    }
    return left;
  }

  /** All terms with these first bytes, which are not all FF. */
  static Stretch.Range beginningWith(byte[] prefix) {
    byte[] end = prefix;
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xFF) {
      last--;
    }
    end = Arrays.copyOf(prefix, last + 1);
    end[last]++;
    return new Stretch.Range(Bytes.of(prefix), Bytes.of(end));
  }

  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
