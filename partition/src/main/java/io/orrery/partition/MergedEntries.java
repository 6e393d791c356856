package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Entry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The entries of two partitions as those of one: what both count is added up. */
final class MergedEntries implements Iterator<Entry> {
  private final Iterator<Entry> one;
  private final Iterator<Entry> other;
  private @Nullable Entry ofOne;
  private @Nullable Entry ofOther;

  MergedEntries(Iterator<Entry> one, Iterator<Entry> other) {
    this.one = one;
    this.other = other;
    ofOne = advanced(one);
    ofOther = advanced(other);
  }

  private static @Nullable Entry advanced(Iterator<Entry> entries) {
    return entries.hasNext() ? entries.next() : null;
  }

  @Override
  public boolean hasNext() {
    return ofOne != null || ofOther != null;
  }

  @Override
  public Entry next() {
    Entry first = ofOne;
    Entry second = ofOther;
    if (first == null && second == null) {
      throw new NoSuchElementException();
    }
    int order =
        second == null ? -1 : first == null ? 1 : Arrays.compareUnsigned(first.key(), second.key());
    if (order <= 0) {
      ofOne = advanced(one);
    }
    if (order >= 0) {
      ofOther = advanced(other);
    }
    if (first != null && second != null && order == 0) {
      return new Entry(first.key(), both(first, second));
    }
    return order < 0 && first != null ? first : Objects.requireNonNull(second);
  }

  private static boolean isWhole(Entry item) {
    return ItemRecord.decode(Keys.counterOfItem(item.key()), item.value()).isWhole();
  }

  /** Two whole items with one number would be a document number that was given out twice. */
  private static byte[] whole(Entry first, Entry second) {
    if (isWhole(first) && isWhole(second)) {
      throw new IllegalStateException(
          "Two partitions have an item of number " + Keys.counterOfItem(first.key()));
    }
    return isWhole(first) ? first.value() : second.value();
  }

  private static byte[] both(Entry first, Entry second) {
    return switch (first.key()[0]) {
      case Keys.PATH_COUNT ->
          ByteBuffer.allocate(Long.BYTES)
              .putLong(PathCounts.decode(first.value()) + PathCounts.decode(second.value()))
              .array();
      case Keys.SIZES -> Sizes.decode(first.value()).plus(Sizes.decode(second.value())).encode();
      // Both follow the same policy, or they would not be merged.
      case Keys.INDEX_STATE -> first.value();
      // A split copies a broken record, and the entries that name its counter, to both halves.
      case Keys.ITEM -> whole(first, second);
      case Keys.LATEST, Keys.INDEX, Keys.EXPIRY -> first.value();
      default ->
          throw new IllegalStateException("Two partitions have an entry of kind " + first.key()[0]);
    };
  }
}
