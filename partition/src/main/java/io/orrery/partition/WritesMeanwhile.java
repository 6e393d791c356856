package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The items that were written while a query read the index, on engines whose reads do not repeat.
 * An entry that moved from a stretch still to be read to one that was read already is in neither;
 * its item has a new place among the latest versions, and those are few. Belongs to one query.
 */
final class WritesMeanwhile {
  private static final int STRETCH_ENTRIES = 2_000;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final Roaring64Bitmap written = new Roaring64Bitmap();
  private byte[] next;
  private long knownVersion;
  private boolean behind;

  WritesMeanwhile(Snapshot snapshot, QueryTally tally) {
    this.snapshot = snapshot;
    this.tally = tally;
    Head opening = snapshot.head();
    next = Keys.latest(opening == null ? 0 : opening.lsn() + 1, 0);
    knownVersion = opening == null ? 0 : opening.version();
  }

  /** Notes the state that a read of the index came from. */
  void saw(@Nullable Head head) {
    behind |= head == null || head.version() != knownVersion;
  }

  /** What was found in the index, and the items that may have been there all the time unseen. */
  Counters and(Counters found) {
    if (snapshot.isRepeatable()) {
      return found;
    }
    return atLeast -> {
      // In this order: what the index no longer had was written before now.
      long indexed = found.next(atLeast);
      return Math.min(indexed, next(atLeast));
    };
  }

  private long next(long atLeast) {
    if (behind) {
      behind = false;
      catchUp();
    }
    if (written.isEmpty()) {
      return Counters.END;
    }
    LongIterator rest = written.getLongIteratorFrom(atLeast);
    return rest.hasNext() ? rest.next() : Counters.END;
  }

  /** Every write moves its item behind all others, so reading on misses none. */
  private void catchUp() {
    boolean more = true;
    while (more) {
      Page page = snapshot.scan(Scan.forward(next, Keys.latestEnd()).atMost(STRETCH_ENTRIES));
      for (Entry entry : page.entries()) {
        written.addLong(Keys.counterAtEnd(entry.key()));
        next = Keys.after(entry.key());
      }
      tally.readEntries(page.entries().size());
      more = page.more();
      Head head = page.head();
      knownVersion = head == null ? knownVersion : head.version();
    }
  }
}
