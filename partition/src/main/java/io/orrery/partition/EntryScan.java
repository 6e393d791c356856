package io.orrery.partition;

import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All entries of a stretch of keys, read a page at a time. */
final class EntryScan {
  private static final int PAGE_ENTRIES = 2_000;

  private final Snapshot snapshot;
  private final byte[] end;
  private byte[] from;
  private Iterator<Entry> page = List.<Entry>of().iterator();
  private boolean more = true;

  EntryScan(Snapshot snapshot, byte[] from, byte[] end) {
    this.snapshot = snapshot;
    this.from = from;
    this.end = end;
  }

  /** The next entry; null at the end. */
  @Nullable Entry next() {
    while (!page.hasNext()) {
      if (!more) {
        return null;
      }
      Page read = snapshot.scan(Scan.forward(from, end).atMost(PAGE_ENTRIES));
      more = read.more();
      if (more) {
        from = RangeReader.after(read.entries().getLast().key());
      }
      page = read.entries().iterator();
    }
    return page.next();
  }
}
