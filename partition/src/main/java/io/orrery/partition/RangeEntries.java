package io.orrery.partition;

import io.orrery.operation.EpkRange;
import io.orrery.partition.format.v1.HistoryRecord;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.partition.format.v1.KeyBounds;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.LogicalRecord;
import io.orrery.storage.Entry;
import io.orrery.storage.Snapshot;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The entries that a partition would have if it held only a range of the keys that it holds, in the
 * order of their keys. Kinds whose keys begin with the logical partition are cut; items and history
 * tell their logical partition themselves; what names an item by its counter follows the items that
 * were given before it.
 */
final class RangeEntries implements Iterator<Entry> {
  private final Snapshot snapshot;
  private final KeyBounds bounds;
  private final Roaring64Bitmap counters = new Roaring64Bitmap();
  private final PathTally paths = new PathTally();
  private Sizes sizes = Sizes.NONE;

  /** One kind of entries after the other. */
  private final Iterator<Opening> sections;

  private Section section;
  private @Nullable Entry next;

  /** Gives the next entry of a kind, null at its end. */
  private interface Section {
    @Nullable Entry next();
  }

  /** Begins to read one. */
  private interface Opening {
    Section open();
  }

  RangeEntries(Snapshot snapshot, EpkRange range) {
    this.snapshot = snapshot;
    this.bounds = KeyBounds.of(range);
    sections =
        List.<Opening>of(
                () -> whole(Keys.ITEM, this::takeItem),
                () -> cut(Keys.PRIMARY, entry -> true),
                () -> cut(Keys.MEMBER, entry -> true),
                () -> whole(Keys.LATEST, this::isOfItem),
                () -> whole(Keys.HISTORY, this::isOfRange),
                () -> cut(Keys.LOGICAL, this::count),
                () -> cut(Keys.MARKER, entry -> true),
                () -> whole(Keys.INDEX, this::takeTerm),
                () -> cut(Keys.UNIQUE, entry -> true),
                this::pathCounts,
                () -> whole(Keys.INDEX_STATE, entry -> true),
                () -> given(List.of(new Entry(Keys.sizes(), sizes.encode()))),
                () -> whole(Keys.EXPIRY, this::isOfItem),
                () -> given(TrimMarks.load(snapshot).within(range)))
            .iterator();
    section = sections.next().open();
    advance();
  }

  private Section whole(byte kind, Predicate<Entry> wanted) {
    return filtered(new byte[] {kind}, new byte[] {(byte) (kind + 1)}, wanted);
  }

  private Section cut(byte kind, Predicate<Entry> wanted) {
    return filtered(bounds.first(kind), bounds.end(kind), wanted);
  }

  private Section filtered(byte[] from, byte[] to, Predicate<Entry> wanted) {
    var scan = new EntryScan(snapshot, from, to);
    return () -> {
      Entry entry = scan.next();
      while (entry != null && !wanted.test(entry)) {
        entry = scan.next();
      }
      return entry;
    };
  }

  private static Section given(List<Entry> entries) {
    Iterator<Entry> all = entries.iterator();
    return () -> all.hasNext() ? all.next() : null;
  }

  /** The counts of the parent tell which paths are counted; those given here are the range's. */
  private Section pathCounts() {
    var scan = new EntryScan(snapshot, new byte[] {Keys.PATH_COUNT}, Keys.indexState());
    return () -> {
      for (Entry entry = scan.next(); entry != null; entry = scan.next()) {
        long count = paths.of(Keys.pathOf(entry.key()));
        if (count > 0) {
          return new Entry(entry.key(), ByteBuffer.allocate(8).putLong(count).array());
        }
      }
      return null;
    };
  }

  private boolean takeItem(Entry entry) {
    long counter = Keys.counterOfItem(entry.key());
    ItemRecord item = ItemRecord.decode(counter, entry.value());
    // Where an item belongs whose record is broken is not known: it is lost to no range.
    boolean within = !item.isWhole() || item.isWithin(bounds);
    if (within) {
      counters.addLong(counter);
    }
    return within;
  }

  private boolean isOfItem(Entry entry) {
    return counters.contains(Keys.counterAtEnd(entry.key()));
  }

  private boolean takeTerm(Entry entry) {
    boolean within = isOfItem(entry);
    if (within) {
      paths.add(Keys.pathOf(entry.key()), Keys.counterAtEnd(entry.key()));
    }
    return within;
  }

  private boolean isOfRange(Entry entry) {
    return bounds.hold(HistoryRecord.logicalPartitionOf(entry.value()));
  }

  private boolean count(Entry entry) {
    sizes = sizes.plus(LogicalRecord.decode(entry.value()));
    return true;
  }

  private void advance() {
    next = section.next();
    while (next == null && sections.hasNext()) {
      section = sections.next().open();
      next = section.next();
    }
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Entry next() {
    Entry given = next;
    if (given == null) {
      throw new NoSuchElementException();
    }
    advance();
    return given;
  }
}
