package io.orrery.routing.catalog;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.storage.PartitionId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which range holds which keys: ranges in order, without gap or overlap, from the least key to the
 * greatest. Immutable.
 */
public final class PartitionMap {
  private static final int V2_HASH_BITS = 62;
  private static final int V1_HASH_BITS = 32;

  private final Version version;
  private final List<MappedRange> ranges;
  private final List<GoneRange> gone;
  private final Map<String, MappedRange> byId = new HashMap<>();
  private final Map<String, GoneRange> goneById = new HashMap<>();
  private final String[] mins;
  private final long nextNumber;

  /**
   * @param gone the ranges that were, in the order of their end. All are kept, because clients may
   *     name any of them: a split ends one, so there are fewer than ranges unless operators merge
   * @param nextNumber the number of the next range to be made
   */
  public PartitionMap(
      Version version, List<MappedRange> ranges, List<GoneRange> gone, long nextNumber) {
    this.version = version;
    this.ranges = List.copyOf(ranges);
    this.gone = List.copyOf(gone);
    this.nextNumber = nextNumber;
    mins = ranges.stream().map(range -> range.epks().min().hex()).toArray(String[]::new);
    requireWhole(this.ranges);
    ranges.forEach(range -> byId.put(range.id(), range));
    gone.forEach(range -> goneById.put(range.id(), range));
  }

  /** An LSN that a range must have reached. */
  public record Required(MappedRange range, long lsn) {}

  /** The map of a new container: one range per partition, the hash space cut evenly. */
  public static PartitionMap even(Version version, Hashing hashing, List<PartitionId> partitions) {
    var ranges = new ArrayList<MappedRange>();
    int count = partitions.size();
    for (int i = 0; i < count; i++) {
      var epks = new EpkRange(cut(hashing, i, count), cut(hashing, i + 1, count));
      ranges.add(MappedRange.of(i, epks, partitions.get(i), List.of()));
    }
    return new PartitionMap(version, ranges, List.of(), count);
  }

  /**
   * The map after neighbouring ranges have become others that hold the same keys.
   *
   * @param ended the neighbours, each with its last transaction
   * @param epks of the new ranges, in order
   */
  PartitionMap reshaped(
      Version next, List<GoneRange> ended, List<EpkRange> epks, List<PartitionId> partitions) {
    var parents = new TreeSet<Long>();
    var kept = new ArrayList<MappedRange>();
    for (MappedRange range : ranges) {
      if (ended.stream().anyMatch(end -> end.number() == range.number())) {
        parents.addAll(range.parents());
        parents.add(range.number());
      } else {
        kept.add(range);
      }
    }
    for (int i = 0; i < epks.size(); i++) {
      kept.add(
          MappedRange.of(nextNumber + i, epks.get(i), partitions.get(i), List.copyOf(parents)));
    }
    kept.sort(Comparator.comparing(range -> range.epks().min()));
    var allGone = new ArrayList<>(gone);
    allGone.addAll(ended);
    return new PartitionMap(next, kept, allGone, nextNumber + epks.size());
  }

  private static EffectivePartitionKey cut(Hashing hashing, int index, int count) {
    if (index == 0) {
      return EffectivePartitionKey.MIN;
    }
    if (index == count) {
      return EffectivePartitionKey.MAX;
    }
    return switch (hashing) {
      case HASH_V1 -> EffectivePartitionKey.ofHashV1(share(V1_HASH_BITS, index, count));
      case HASH_V2, MULTI_HASH -> EffectivePartitionKey.ofHashV2(share(V2_HASH_BITS, index, count));
    };
  }

  private static long share(int bits, int index, int count) {
    return BigInteger.ONE
        .shiftLeft(bits)
        .multiply(BigInteger.valueOf(index))
        .divide(BigInteger.valueOf(count))
        .longValueExact();
  }

  private static void requireWhole(List<MappedRange> ranges) {
    EffectivePartitionKey end = EffectivePartitionKey.MIN;
    for (MappedRange range : ranges) {
      if (!range.epks().min().equals(end) || range.epks().isEmpty()) {
        throw new IllegalArgumentException("Ranges leave a gap or overlap at " + range);
      }
      end = range.epks().max();
    }
    if (!end.equals(EffectivePartitionKey.MAX)) {
      throw new IllegalArgumentException("Ranges end at " + end);
    }
  }

  /** The range that holds the key. */
  public MappedRange find(EffectivePartitionKey epk) {
    return ranges.get(indexOf(epk));
  }

  /** The place in {@link #ranges} of the range that holds the key. */
  public int indexOf(EffectivePartitionKey epk) {
    int found = Arrays.binarySearch(mins, epk.hex());
    return found >= 0 ? found : -found - 2;
  }

  /** The ranges that hold keys of the given one, in order. */
  public List<MappedRange> overlapping(EpkRange epks) {
    var found = new ArrayList<MappedRange>();
    for (int i = indexOf(epks.min()); i < ranges.size(); i++) {
      if (!ranges.get(i).epks().overlaps(epks)) {
        break;
      }
      found.add(ranges.get(i));
    }
    return found;
  }

  /** The range that a partition holds; null when it holds none of these. */
  public @Nullable MappedRange of(PartitionId partition) {
    for (MappedRange range : ranges) {
      if (range.partition().equals(partition)) {
        return range;
      }
    }
    return null;
  }

  /** The range that clients know by this id. */
  public @Nullable MappedRange byId(String id) {
    return byId.get(id);
  }

  /**
   * The keys of a range that clients know by this id, whether it is there or was; null if never.
   */
  public @Nullable EpkRange epksOf(String id) {
    MappedRange present = byId(id);
    if (present != null) {
      return present.epks();
    }
    GoneRange past = goneById(id);
    return past == null ? null : past.epks();
  }

  /** The range that clients knew by this id. */
  public @Nullable GoneRange goneById(String id) {
    return goneById.get(id);
  }

  /**
   * The LSN that each range must have reached to show what was seen of ranges with these ids;
   * unknown ids are left out. Visits each range once, however many of its ancestors are named.
   */
  public List<Required> required(Map<String, Long> lsnById) {
    List<Seen> seen = new ArrayList<>();
    lsnById.forEach(
        (id, lsn) -> {
          EpkRange epks = epksOf(id);
          if (epks != null) {
            seen.add(new Seen(epks, lsn));
          }
        });
    // The greatest first: what comes later requires nothing more of a range.
    seen.sort(Comparator.comparingLong(Seen::lsn).reversed());
    List<Required> required = new ArrayList<>();
    var done = new BitSet();
    for (Seen next : seen) {
      int at = done.nextClearBit(indexOf(next.epks.min()));
      while (at < ranges.size() && ranges.get(at).epks().overlaps(next.epks)) {
        required.add(new Required(ranges.get(at), next.lsn));
        done.set(at);
        at = done.nextClearBit(at);
      }
    }
    return required;
  }

  private record Seen(EpkRange epks, long lsn) {}

  public List<GoneRange> gone() {
    return gone;
  }

  public List<MappedRange> ranges() {
    return ranges;
  }

  public Version version() {
    return version;
  }

  public long nextNumber() {
    return nextNumber;
  }
}
