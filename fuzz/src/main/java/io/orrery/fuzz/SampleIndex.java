package io.orrery.fuzz;

import io.orrery.operation.Bytes;
import io.orrery.query.index.Access;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.ItemTerms;
import io.orrery.query.index.Stretch;
import io.orrery.query.index.TermEncoding;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The index entries of a few items in memory. */
final class SampleIndex {
  private final NavigableMap<Bytes, BitSet> entries = new TreeMap<>();
  private final BitSet everything = new BitSet();

  SampleIndex(List<Value> items, IndexPolicy policy) {
    for (int i = 0; i < items.size(); i++) {
      int item = i;
      everything.set(item);
      ItemTerms.of((Value.Obj) items.get(item), Samples.TIMESTAMP, policy)
          .terms()
          .forEach(term -> entries.computeIfAbsent(Bytes.of(term), none -> new BitSet()).set(item));
    }
  }

  /** The numbers of the items that an access names. */
  BitSet items(Access access) {
    var found = new BitSet();
    switch (access) {
      case Access.Everything() -> found.or(everything);
      case Access.Nothing() -> {}
      case Access.Lookup(_, var stretches) ->
          stretches.forEach(stretch -> entries(stretch).values().forEach(found::or));
      case Access.Missing(var path) -> {
        found.or(everything);
        byte[] prefix = TermEncoding.prefix(path);
        entries.tailMap(Bytes.of(prefix)).entrySet().stream()
            .takeWhile(entry -> startsWith(entry.getKey().array(), prefix))
            .forEach(entry -> found.andNot(entry.getValue()));
      }
      case Access.All(var parts) -> {
        found.or(everything);
        parts.forEach(part -> found.and(items(part)));
      }
      case Access.Any(var parts) -> parts.forEach(part -> found.or(items(part)));
    }
    return found;
  }

  private NavigableMap<Bytes, BitSet> entries(Stretch stretch) {
    return switch (stretch) {
      case Stretch.Point(var term) -> entries.subMap(term, true, term, true);
      case Stretch.Range(var from, var to) -> entries.subMap(from, true, to, false);
    };
  }

  private static boolean startsWith(byte[] term, byte[] prefix) {
    return term.length >= prefix.length
        && Arrays.equals(term, 0, prefix.length, prefix, 0, prefix.length);
  }
}
