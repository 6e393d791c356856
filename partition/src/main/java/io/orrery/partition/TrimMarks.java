package io.orrery.partition;

import io.orrery.operation.ChangeStart;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.partition.format.v1.Keys;
import io.orrery.partition.format.v1.TrimMark;
import io.orrery.storage.Entry;
import io.orrery.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * How much of the history is gone: one mark per range that was a partition of its own before a
 * merge, because transactions of different partitions are not comparable. Together they cover the
 * partition. Not thread safe.
 */
final class TrimMarks {
  private final List<TrimMark> marks;

  private TrimMarks(List<TrimMark> marks) {
    this.marks = marks;
  }

  static TrimMarks load(Snapshot snapshot) {
    List<TrimMark> found = new ArrayList<>();
    var scan = new EntryScan(snapshot, Keys.trimmedStart(), Keys.trimmedEnd());
    for (Entry entry = scan.next(); entry != null; entry = scan.next()) {
      found.add(TrimMark.decode(entry.key(), entry.value()));
    }
    if (found.isEmpty()) {
      found.add(new TrimMark(EpkRange.ALL, 0, 0));
    }
    return new TrimMarks(found);
  }

  /** Those of a partition that holds only this range, as entries in order. */
  List<Entry> within(EpkRange range) {
    List<Entry> cut = new ArrayList<>();
    for (TrimMark mark : marks) {
      TrimMark left = mark.within(range);
      if (!left.range().isEmpty()) {
        cut.add(new Entry(left.key(), left.encode()));
      }
    }
    return cut;
  }

  /** Notes that a transaction of a key is gone from the history. */
  void gone(EffectivePartitionKey epk, long lsn, long ticks) {
    marks.replaceAll(mark -> mark.range().contains(epk) ? mark.and(lsn, ticks) : mark);
  }

  void put(GroupState state) {
    marks.forEach(mark -> state.put(mark.key(), mark.encode()));
  }

  /** Whether something is gone that a reader of the slice who starts there would have to see. */
  boolean lack(FeedSlice slice, ChangeStart start) {
    return marks.stream().anyMatch(mark -> concerns(mark.range(), slice) && lacks(mark, start));
  }

  private static boolean concerns(EpkRange range, FeedSlice slice) {
    return switch (slice) {
      case FeedSlice.OneKey(LogicalKey key) -> range.contains(key.epk());
      case FeedSlice.Range(EpkRange wanted, _) -> range.overlaps(wanted);
    };
  }

  private static boolean lacks(TrimMark mark, ChangeStart start) {
    return mark.lsn() > 0
        && switch (start) {
          case ChangeStart.After(long lsn, _) -> lsn < mark.lsn();
          case ChangeStart.Time(long ticks) -> ticks <= mark.ticks();
          case ChangeStart.Beginning() -> true;
          case ChangeStart.Now() -> false;
        };
  }
}
