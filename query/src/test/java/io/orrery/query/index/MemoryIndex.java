package io.orrery.query.index;

import io.orrery.operation.Bytes;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Items and their entries, read as a partition reads them. */
final class MemoryIndex {
  /** A mistake to make, so that a test can show that it would find it. */
  enum Mistake {
    NONE,
    LAST_STRETCH_LOST,
    MISSING_LOST,
    ANY_ENDS_EARLY,
    POINT_IN_RANGE_LOST
  }

  private final int size;
  private final Mistake mistake;
  private final NavigableMap<Bytes, BitSet> entries = new TreeMap<>();
  private final BitSet overflowing = new BitSet();

  MemoryIndex(List<Value.Obj> contents, long timestamp, IndexPolicy policy, Mistake mistake) {
    this.size = contents.size();
    this.mistake = mistake;
    for (int item = 0; item < size; item++) {
      ItemTerms terms = ItemTerms.of(contents.get(item), timestamp + item, policy);
      for (byte[] term : terms.terms()) {
        entries.computeIfAbsent(Bytes.of(term), absent -> new BitSet()).set(item);
      }
      overflowing.set(item, terms.overflow());
    }
  }

  BitSet items(Access access) {
    BitSet found = exactly(access);
    found.or(overflowing);
    return found;
  }

  private BitSet exactly(Access access) {
    BitSet found = new BitSet();
    switch (access) {
      case Access.Everything _ -> found.set(0, size);
      case Access.Nothing _ -> {}
      case Access.Lookup(_, var stretches) -> {
        boolean lost = mistake == Mistake.LAST_STRETCH_LOST && stretches.size() > 1;
        for (Stretch stretch : lost ? stretches.subList(1, stretches.size()) : stretches) {
          stretch(stretch).values().forEach(found::or);
        }
      }
      case Access.Missing(var path) -> {
        if (mistake != Mistake.MISSING_LOST) {
          found.set(0, size);
          Bytes prefix = Bytes.of(TermEncoding.prefix(path));
          entries
              .subMap(prefix, true, Zone.after(prefix.array()), false)
              .values()
              .forEach(found::andNot);
        }
      }
      case Access.All(var parts) -> {
        found.set(0, size);
        parts.forEach(part -> found.and(items(part)));
      }
      case Access.Any(var parts) -> {
        int used = mistake == Mistake.ANY_ENDS_EARLY ? parts.size() - 1 : parts.size();
        parts.subList(0, used).forEach(part -> found.or(items(part)));
      }
    }
    return found;
  }

  /** The items of an ordered scan, each once, in its order. */
  List<Integer> items(OrderedScan scan) {
    List<BitSet> groups = new ArrayList<>();
    if (scan.missing()) {
      groups.add(items(new Access.Missing((IndexPath) scan.index())));
    }
    for (Stretch stretch : scan.stretches()) {
      groups.addAll(stretch(stretch).values());
    }
    BitSet filter = items(scan.filter());
    List<Integer> items = new ArrayList<>();
    for (BitSet group : scan.backward() ? groups.reversed() : groups) {
      group.stream().filter(filter::get).forEach(items::add);
    }
    return items;
  }

  private NavigableMap<Bytes, BitSet> stretch(Stretch stretch) {
    return switch (stretch) {
      case Stretch.Point(var term) -> entries.subMap(term, true, term, true);
      case Stretch.Range(var from, var to) ->
          entries.subMap(from, mistake != Mistake.POINT_IN_RANGE_LOST, to, false);
    };
  }
}
