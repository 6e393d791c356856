package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.Access;
import io.orrery.query.index.IndexPath;
import io.orrery.query.index.Indexed;
import io.orrery.query.index.ItemTerms;
import io.orrery.query.index.Stretch;
import io.orrery.query.index.TermEncoding;
import io.orrery.storage.Reads;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Finds the counters that an access names. Points are followed as they are asked for; ranges must
 * be read to their end first, so one that is too long is left out, and the items decide instead.
 */
final class IndexReader {
  /** Counts all items: each has a term at this path, however many others it has. */
  private static final IndexPath EVERY = IndexPath.of("_ts");

  private static final int RANGE_ENTRIES_MAX = 100_000;
  private static final int MATCHING_MAX = 200_000;
  private static final int MISSING_ENTRIES_MAX = 4_000_000;
  private static final int RANGE_BESIDE_POINTS_MAX = 50_000;
  private static final int RANGE_BESIDE_POINTS_MIN = 1_000;

  /** As many as are read at once. */
  private static final int SMALL_MAX = 1_000;

  /** Reading so many entries costs no more than fetching an item for nothing. */
  static final int ENTRIES_PER_ITEM = 20;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final RangeReader ranges;
  private final WritesMeanwhile meanwhile;
  private final long from;
  private final int expected;
  private long @Nullable [] members;
  private @Nullable Boolean partlyIndexed;

  /**
   * A reader for one query.
   *
   * @param from no counter below is asked for
   * @param expected about how many counters will be
   */
  IndexReader(Snapshot snapshot, QueryTally tally, RangeCache cache, long from, int expected) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.meanwhile = new WritesMeanwhile(snapshot, tally);
    this.ranges = new RangeReader(snapshot, tally, cache, meanwhile);
    this.from = from;
    this.expected = expected;
  }

  /** All items that can have rows, and perhaps others; null when these are all there are. */
  @Nullable Counters candidates(Access access, FeedSlice slice) {
    Counters found = open(access, RANGE_ENTRIES_MAX);
    Counters within = members == null ? within(slice) : Counters.of(members);
    if (found != null && hasPartlyIndexed()) {
      found = Counters.any(List.of(found, partlyIndexed()));
    }
    found = found == null ? null : meanwhile.and(found);
    if (found == null || within == null) {
      return found == null ? within : found;
    }
    return Counters.all(List.of(within, found));
  }

  /**
   * Whether the slice has so few items that looking at those of them which match costs less than
   * finding the matches among the items of other keys. If so, nothing before the first and behind
   * the last of them is read from now on.
   */
  boolean isSmall(FeedSlice slice) {
    members = within(slice) instanceof PrefixCounters all ? all.upTo(from, SMALL_MAX) : null;
    return members != null;
  }

  /** The same all at once; null also when they are too many. */
  @Nullable Roaring64Bitmap matching(Access access, FeedSlice slice) {
    if (access instanceof Access.Everything) {
      return switch (slice) {
        case FeedSlice.OneKey(LogicalKey key) -> {
          byte[] prefix = Keys.membersOf(Keys.logicalPartition(key.epk(), key.key()));
          yield ranges.read(
              Keys.withCounter(prefix, 0), Keys.withCounter(prefix, Long.MAX_VALUE), MATCHING_MAX);
        }
        case FeedSlice.Range(EpkRange range, _) -> members(range);
      };
    }
    Counters counters = candidates(access, slice);
    if (counters == null) {
      return null;
    }
    var all = new Roaring64Bitmap();
    int count = 0;
    for (long next = counters.next(0); next != Counters.END; next = counters.next(next + 1)) {
      if (++count > MATCHING_MAX) {
        return null;
      }
      all.addLong(next);
    }
    return all;
  }

  /** Whether there are items with more terms than are kept. */
  boolean hasPartlyIndexed() {
    if (partlyIndexed == null) {
      partlyIndexed = partlyIndexed().next(from) != Counters.END;
    }
    return partlyIndexed;
  }

  /** These items: whatever is looked for, they may have it. */
  private Counters partlyIndexed() {
    return points(ItemTerms.overflowTerm(), 1);
  }

  /** Items without an entry at a path. */
  @Nullable Counters missing(IndexPath path) {
    if (path.isSingle() && allHave(path)) {
      return Counters.NONE;
    }
    Roaring64Bitmap all = ranges.read(Keys.latestStart(), Keys.latestEnd(), MISSING_ENTRIES_MAX);
    Roaring64Bitmap having = all == null ? null : ranges.read(whole(path), MISSING_ENTRIES_MAX);
    if (all == null || having == null) {
      return null;
    }
    Roaring64Bitmap without = all.clone();
    without.andNot(having);
    return Counters.of(without);
  }

  /** By counts of one state: between two reads an item could go that only one of them counts. */
  private boolean allHave(IndexPath path) {
    Reads counts =
        snapshot.multiGet(List.of(Keys.pathCount(path.hash()), Keys.pathCount(EVERY.hash())));
    meanwhile.saw(counts.head());
    List<byte @Nullable []> values = counts.values();
    return PathCounts.decode(values.get(0)) >= PathCounts.decode(values.get(1));
  }

  /** How many items have an entry; every item has one in a composite index. */
  long count(Indexed index) {
    long hash = index instanceof IndexPath path ? path.hash() : EVERY.hash();
    return PathCounts.decode(snapshot.get(Keys.pathCount(hash)).value());
  }

  private @Nullable Counters open(Access access, int entriesMax) {
    return switch (access) {
      case Access.Everything _ -> null;
      case Access.Nothing _ -> Counters.NONE;
      case Access.Lookup(var index, var stretches) -> lookUp(stretches, entriesMax);
      case Access.Missing(var path) -> missing(path);
      case Access.All(var parts) -> all(parts, entriesMax);
      case Access.Any(var parts) -> any(parts, entriesMax);
    };
  }

  private @Nullable Counters lookUp(List<Stretch> stretches, int entriesMax) {
    var found = new ArrayList<Counters>();
    var longer = new ArrayList<Stretch.Range>();
    for (Stretch stretch : stretches) {
      switch (stretch) {
        case Stretch.Point(var term) -> found.add(points(term.array(), expected));
        case Stretch.Range range -> longer.add(range);
      }
    }
    if (!longer.isEmpty()) {
      Roaring64Bitmap bitmap = ranges.read(longer, entriesMax);
      if (bitmap == null) {
        return null;
      }
      found.add(Counters.of(bitmap));
    }
    return found.isEmpty() ? Counters.NONE : Counters.any(found);
  }

  private @Nullable Counters any(List<Access> parts, int entriesMax) {
    var found = new ArrayList<Counters>();
    for (Access part : parts) {
      Counters counters = open(part, entriesMax);
      if (counters == null) {
        return null;
      }
      found.add(counters);
    }
    return found.isEmpty() ? Counters.NONE : Counters.any(found);
  }

  private @Nullable Counters all(List<Access> parts, int entriesMax) {
    var found = new ArrayList<Counters>();
    int most = entriesMax;
    for (Access part : parts) {
      if (isPoint(part)) {
        Counters counters = open(part, most);
        if (counters != null) {
          found.add(counters);
        }
      }
    }
    if (found.size() < parts.size()) {
      for (Counters counters : found) {
        most = Math.min(most, worthReadingBeside(counters));
      }
      for (Access part : parts) {
        Counters counters = isPoint(part) ? null : open(part, most);
        if (counters != null) {
          found.add(counters);
        }
      }
    }
    return found.isEmpty() ? null : Counters.all(found);
  }

  /** A range is worth its reading while that costs less than fetching what the points name. */
  private int worthReadingBeside(Counters points) {
    int count =
        points instanceof PrefixCounters prefix
            ? prefix.countUpTo(from, RANGE_BESIDE_POINTS_MIN)
            : RANGE_BESIDE_POINTS_MIN;
    return Math.clamp(
        (long) count * 2 * ENTRIES_PER_ITEM, RANGE_BESIDE_POINTS_MIN, RANGE_BESIDE_POINTS_MAX);
  }

  private static boolean isPoint(Access access) {
    return access instanceof Access.Lookup(var index, var stretches)
        && stretches.stream().allMatch(Stretch.Point.class::isInstance);
  }

  private @Nullable Counters within(FeedSlice slice) {
    return switch (slice) {
      case FeedSlice.OneKey(LogicalKey key) ->
          new PrefixCounters(
              snapshot,
              tally,
              meanwhile,
              Keys.membersOf(Keys.logicalPartition(key.epk(), key.key())),
              expected);
      case FeedSlice.Range(EpkRange range, _) -> {
        Roaring64Bitmap members = members(range);
        yield members == null ? null : Counters.of(members);
      }
    };
  }

  /** The members of one key or of a prefix of keys; other ranges are for the items to decide. */
  private @Nullable Roaring64Bitmap members(EpkRange range) {
    if (range.min().hex().isEmpty() || !range.max().hex().startsWith(range.min().hex())) {
      return null;
    }
    return ranges.read(Keys.membersFrom(range.min()), Keys.membersFrom(range.max()), MATCHING_MAX);
  }

  private Counters points(byte[] term, int expectedHere) {
    long end =
        members == null ? Counters.END : members.length == 0 ? 0 : members[members.length - 1] + 1;
    return new PrefixCounters(snapshot, tally, meanwhile, Keys.indexFrom(term), expectedHere, end);
  }

  private static List<Stretch.Range> whole(IndexPath path) {
    return List.of(RangeReader.beginningWith(TermEncoding.prefix(path)));
  }
}
