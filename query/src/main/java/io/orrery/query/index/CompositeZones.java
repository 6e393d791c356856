package io.orrery.query.index;

import io.orrery.operation.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The part of a composite index that the values of its first paths leave.
 *
 * @param used how many of its paths the stretches are about
 */
record CompositeZones(CompositeIndex index, List<Stretch> stretches, int used) {
  /** More combinations than these are not worth it. */
  private static final int COMBINATIONS_MAX = 256;

  /**
   * As long as paths have exact values the next one narrows further; the last may have ranges, or
   * values that end the term.
   */
  static CompositeZones of(CompositeIndex index, Function<IndexPath, Zone> zones) {
    List<byte[]> prefixes = List.of(TermEncoding.prefix(index));
    int used = 0;
    for (CompositeIndex.Key key : index.keys()) {
      Zone zone = zones.apply(key.path());
      List<Zone.Interval> intervals = key.descending() ? zone.inverted() : zone.intervals();
      if (prefixes.size() * (long) intervals.size() > COMBINATIONS_MAX) {
        break;
      }
      if (!zone.isExactPoints()) {
        return zone.equals(Zone.ANY)
            ? whole(index, prefixes, used)
            : new CompositeZones(index, ranges(prefixes, intervals), used + 1);
      }
      prefixes = extended(prefixes, intervals);
      used++;
    }
    if (used == index.keys().size()) {
      List<Stretch> points =
          prefixes.stream().<Stretch>map(term -> new Stretch.Point(Bytes.of(term))).toList();
      return new CompositeZones(index, points, used);
    }
    return whole(index, prefixes, used);
  }

  private static CompositeZones whole(CompositeIndex index, List<byte[]> prefixes, int used) {
    List<Stretch> ranges =
        prefixes.stream()
            .<Stretch>map(prefix -> new Stretch.Range(Bytes.of(prefix), Zone.after(prefix)))
            .toList();
    return new CompositeZones(index, ranges, used);
  }

  private static List<byte[]> extended(List<byte[]> prefixes, List<Zone.Interval> points) {
    var longer = new ArrayList<byte[]>();
    for (byte[] prefix : prefixes) {
      for (Zone.Interval point : points) {
        longer.add(joined(prefix, point.from()));
      }
    }
    return longer;
  }

  private static List<Stretch> ranges(List<byte[]> prefixes, List<Zone.Interval> intervals) {
    var ranges = new ArrayList<Stretch>();
    for (byte[] prefix : prefixes) {
      for (Zone.Interval interval : intervals) {
        ranges.add(
            new Stretch.Range(
                Bytes.of(joined(prefix, interval.from())),
                Bytes.of(joined(prefix, interval.to()))));
      }
    }
    return ranges;
  }

  private static byte[] joined(byte[] prefix, Bytes more) {
    return new TermWriter().raw(prefix).raw(more.array()).done();
  }
}
