package io.orrery.query.index;

import io.orrery.operation.Bytes;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Values that can stand at a place, undefined among them, as stretches of their encodings. Bounds
 * are encodings, the beginnings of encodings, or what directly follows either; so none lies between
 * an encoding and what follows it.
 */
record Zone(List<Interval> intervals) {
  /** The encodings from one bound on and before another. */
  record Interval(Bytes from, Bytes to, boolean point) {}

  static final Zone NONE = new Zone(List.of());
  static final Zone ANY = between(TermWriter.UNDEFINED, TermWriter.END);
  static final Zone UNDEFINED = between(TermWriter.UNDEFINED, TermWriter.NULL);
  static final Zone DEFINED = between(TermWriter.NULL, TermWriter.END);
  static final Zone SCALARS = between(TermWriter.NULL, TermWriter.ARRAY);
  static final Zone BOOLEANS = between(TermWriter.FALSE, TermWriter.NUMBER);
  static final Zone NUMBERS = between(TermWriter.NUMBER, TermWriter.TEXT);
  static final Zone STRINGS = between(TermWriter.TEXT, TermWriter.ARRAY);
  static final Zone ARRAYS = between(TermWriter.ARRAY, TermWriter.OBJECT);
  static final Zone OBJECTS = between(TermWriter.OBJECT, TermWriter.END);

  /** All arrays have one encoding, and so have all objects. */
  static final Zone ANY_ARRAY = of(new Value.Arr(List.of()));

  static final Zone ANY_OBJECT = of(new Value.Obj(Map.of()));

  private static Zone between(byte from, byte to) {
    return range(Bytes.of(new byte[] {from}), Bytes.of(new byte[] {to}));
  }

  private static Zone range(Bytes from, Bytes to) {
    return from.compareTo(to) < 0 ? new Zone(List.of(new Interval(from, to, false))) : NONE;
  }

  /** The value, and those that share its encoding. */
  static Zone of(Value value) {
    byte[] encoded = TermEncoding.encoded(value);
    return new Zone(List.of(new Interval(Bytes.of(encoded), after(encoded), true)));
  }

  /** Everything defined but the value; all of it where others share the encoding. */
  static Zone except(Value value) {
    if (!TermEncoding.isExact(value)) {
      return DEFINED;
    }
    byte[] encoded = TermEncoding.encoded(value);
    return union(
        List.of(
            range(DEFINED.first().from(), Bytes.of(encoded)),
            range(after(encoded), DEFINED.first().to())));
  }

  /** Values of the same type that are less; ordering has a meaning between such scalars only. */
  static Zone below(Value value, boolean inclusive) {
    byte[] encoded = TermEncoding.encoded(value);
    boolean with = inclusive || !TermEncoding.isExact(value);
    return type(value).and(range(ANY.first().from(), with ? after(encoded) : Bytes.of(encoded)));
  }

  /** Values of the same type that are greater. */
  static Zone above(Value value, boolean inclusive) {
    byte[] encoded = TermEncoding.encoded(value);
    boolean with = inclusive || !TermEncoding.isExact(value);
    return type(value).and(range(with ? Bytes.of(encoded) : after(encoded), ANY.first().to()));
  }

  /** Scalars with which the value can be ordered. */
  private static Zone type(Value value) {
    return switch (value) {
      case Value.Null _ -> between(TermWriter.NULL, TermWriter.FALSE);
      case Value.Bool _ -> BOOLEANS;
      case Value.Num _ -> NUMBERS;
      case Value.Text _ -> STRINGS;
      case Value.Undefined _, Value.Arr _, Value.Obj _ -> NONE;
    };
  }

  static Zone beginningWith(String prefix) {
    byte[] encoded = new TermWriter().textPrefix(prefix).done();
    return range(Bytes.of(encoded), after(encoded));
  }

  static Zone union(List<Zone> zones) {
    var all = new ArrayList<Interval>();
    zones.forEach(zone -> all.addAll(zone.intervals));
    all.sort(Comparator.comparing(Interval::from));
    var merged = new ArrayList<Interval>();
    for (Interval next : all) {
      Interval last = merged.isEmpty() ? null : merged.getLast();
      if (last == null || next.from.compareTo(last.to) > 0) {
        merged.add(next);
      } else if (!last.equals(next)) {
        Bytes to = next.to.compareTo(last.to) > 0 ? next.to : last.to;
        merged.set(merged.size() - 1, new Interval(last.from, to, false));
      }
    }
    return new Zone(List.copyOf(merged));
  }

  Zone and(Zone other) {
    var common = new ArrayList<Interval>();
    int left = 0;
    int right = 0;
    while (left < intervals.size() && right < other.intervals.size()) {
      Interval a = intervals.get(left);
      Interval b = other.intervals.get(right);
      Bytes from = a.from.compareTo(b.from) > 0 ? a.from : b.from;
      Bytes to = a.to.compareTo(b.to) < 0 ? a.to : b.to;
      if (from.compareTo(to) < 0) {
        common.add(new Interval(from, to, a.point || b.point));
      }
      if (a.to.compareTo(b.to) < 0) {
        left++;
      } else {
        right++;
      }
    }
    return new Zone(List.copyOf(common));
  }

  /** Only for zones of whole types: others may hold more than was asked for. */
  Zone complement() {
    var rest = new ArrayList<Interval>();
    Bytes from = ANY.first().from();
    for (Interval interval : intervals) {
      rest.addAll(range(from, interval.from).intervals);
      from = interval.to;
    }
    rest.addAll(range(from, ANY.first().to()).intervals);
    return new Zone(List.copyOf(rest));
  }

  int size() {
    return intervals.size();
  }

  boolean isEmpty() {
    return intervals.isEmpty();
  }

  boolean isSinglePoint() {
    return intervals.size() == 1 && first().point;
  }

  /** Whether it has no values but those that it says. */
  boolean isExactPoints() {
    return intervals.stream()
        .allMatch(interval -> interval.point && TermEncoding.isExact(interval.from().array()));
  }

  boolean isPoints() {
    return intervals.stream().allMatch(Interval::point);
  }

  boolean hasUndefined() {
    return !and(UNDEFINED).isEmpty();
  }

  boolean contains(Zone other) {
    return and(other).equals(other);
  }

  private Interval first() {
    return intervals.getFirst();
  }

  /** What follows every byte string that begins so. */
  static Bytes after(byte[] prefix) {
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xFF) {
      last--;
    }
    byte[] next = Arrays.copyOf(prefix, last + 1);
    next[last]++;
    return Bytes.of(next);
  }

  /** The same values where they are kept in descending order: all bits and the order inverted. */
  List<Interval> inverted() {
    return intervals.reversed().stream()
        .map(
            interval ->
                new Interval(
                    interval.point ? Bytes.of(flipped(interval.from)) : afterFlipped(interval.to),
                    afterFlipped(interval.from),
                    interval.point))
        .toList();
  }

  private static Bytes afterFlipped(Bytes bound) {
    return after(flipped(bound));
  }

  private static byte[] flipped(Bytes bytes) {
    byte[] flipped = bytes.array().clone();
    for (int i = 0; i < flipped.length; i++) {
      flipped[i] = (byte) ~flipped[i];
    }
    return flipped;
  }
}
