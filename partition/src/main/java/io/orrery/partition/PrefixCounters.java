package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The counters of the entries whose keys are a prefix and a counter, read a stretch at a time. */
final class PrefixCounters implements Counters {
  private static final int STRETCH_MAX = 1_000;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final WritesMeanwhile meanwhile;
  private final byte[] prefix;
  private final long end;
  private int stretch;
  private long[] found = {};
  private int at;
  private int size;
  private boolean more = true;

  /**
   * Reads nothing yet.
   *
   * @param expected about how many counters will be asked for
   */
  PrefixCounters(
      Snapshot snapshot, QueryTally tally, WritesMeanwhile meanwhile, byte[] prefix, int expected) {
    this(snapshot, tally, meanwhile, prefix, expected, END);
  }

  /** Reads only counters below an end. */
  PrefixCounters(
      Snapshot snapshot,
      QueryTally tally,
      WritesMeanwhile meanwhile,
      byte[] prefix,
      int expected,
      long end) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.meanwhile = meanwhile;
    this.prefix = prefix;
    this.end = end;
    this.stretch = Math.clamp(expected + 1L, 2, STRETCH_MAX);
  }

  @Override
  public long next(long atLeast) {
    while (true) {
      if (at < size && found[at] < atLeast) {
        int place = Arrays.binarySearch(found, at, size, atLeast);
        at = place < 0 ? -place - 1 : place;
      }
      if (at < size) {
        return found[at];
      }
      if (!more) {
        return END;
      }
      if (atLeast >= end) {
        return END;
      }
      read(atLeast);
    }
  }

  /** All counters, or null when they are more than that. */
  long @Nullable [] upTo(long atLeast, int most) {
    stretch = most;
    var _ = next(atLeast);
    return more ? null : Arrays.copyOfRange(found, at, size);
  }

  /** How many counters there are, as far as the first stretch tells; at most so many. */
  int countUpTo(long atLeast, int most) {
    stretch = Math.min(most, STRETCH_MAX);
    return next(atLeast) == END ? 0 : size - at;
  }

  private void read(long atLeast) {
    Page page =
        snapshot.scan(
            Scan.forward(Keys.withCounter(prefix, atLeast), Keys.withCounter(prefix, end))
                .atMost(stretch));
    meanwhile.saw(page.head());
    size = 0;
    at = 0;
    if (found.length < page.entries().size()) {
      found = new long[page.entries().size()];
    }
    for (Entry entry : page.entries()) {
      found[size++] = Keys.counterAtEnd(entry.key());
    }
    tally.readEntries(size);
    more = page.more();
    stretch = Math.min(STRETCH_MAX, 2 * stretch);
  }
}
