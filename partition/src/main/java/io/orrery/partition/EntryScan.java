package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All entries of a stretch of keys, read a page at a time. */
final class EntryScan {
  private static final int PAGE_ENTRIES = 2_000;

  private final Snapshot snapshot;
  private final byte[] end;
  private byte[] from;
  private List<Entry> page = List.of();
  private int at;
  private boolean more = true;

  EntryScan(Snapshot snapshot, byte[] from, byte[] end) {
    this.snapshot = snapshot;
    this.from = from;
    this.end = end;
  }

  /** The next entry; null at the end. */
  @Nullable Entry next() {
    while (at == page.size()) {
      if (!more) {
        return null;
      }
      Page read = snapshot.scan(Scan.forward(from, end).atMost(PAGE_ENTRIES));
      more = read.more();
      if (more) {
        from = Keys.after(read.entries().getLast().key());
      }
      page = read.entries();
      at = 0;
    }
    return page.get(at++);
  }

  /** Those that come next, as far as they are read already. */
  List<Entry> ahead(int most) {
    return page.subList(at, Math.min(page.size(), at + most));
  }
}
