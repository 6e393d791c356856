package io.orrery.routing.catalog;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.storage.PartitionId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private final String[] mins;
  private final long nextNumber;

  /**
   * @param nextNumber the number of the next range to be made
   */
  public PartitionMap(Version version, List<MappedRange> ranges, long nextNumber) {
    this.version = version;
    this.ranges = List.copyOf(ranges);
    this.nextNumber = nextNumber;
    mins = ranges.stream().map(range -> range.epks().min().hex()).toArray(String[]::new);
    requireWhole(this.ranges);
  }

  /** The map of a new container: one range per partition, the hash space cut evenly. */
  public static PartitionMap even(Version version, Hashing hashing, List<PartitionId> partitions) {
    var ranges = new ArrayList<MappedRange>();
    int count = partitions.size();
    for (int i = 0; i < count; i++) {
      var epks = new EpkRange(cut(hashing, i, count), cut(hashing, i + 1, count));
      ranges.add(MappedRange.of(i, epks, partitions.get(i), List.of()));
    }
    return new PartitionMap(version, ranges, count);
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

  /** The range that clients know by this id. */
  public @Nullable MappedRange byId(String id) {
    for (MappedRange range : ranges) {
      if (range.id().equals(id)) {
        return range;
      }
    }
    return null;
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
