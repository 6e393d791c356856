package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.Stretch;
import io.orrery.storage.Entry;
import io.orrery.storage.Page;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Index entries in the order of their terms or against it; entries of one term always in order of
 * insertion.
 */
final class OrderedEntries {
  private static final int STRETCH_MAX = 1_000;
  private static final int STRETCH_MIN = 8;

  private final Snapshot snapshot;
  private final QueryTally tally;
  private final ItemReader items;
  private final Deque<Segment> segments = new ArrayDeque<>();
  private final List<Entry> found = new ArrayList<>();
  private int at;
  private int stretch;

  /** Keys that are still to be read, from one side or the other. */
  private static final class Segment {
    private final byte[] from;
    private final byte[] to;
    private final boolean backward;

    Segment(byte[] from, byte[] to, boolean backward) {
      this.from = from;
      this.to = to;
      this.backward = backward;
    }
  }

  OrderedEntries(Snapshot snapshot, QueryTally tally, ItemReader items, int expected) {
    this.snapshot = snapshot;
    this.tally = tally;
    this.items = items;
    this.stretch = Math.clamp(expected + 1L, STRETCH_MIN, STRETCH_MAX);
  }

  /** Everything in the stretches, which are ascending. */
  void read(List<Stretch> stretches, boolean backward) {
    for (Stretch one : stretches) {
      Segment segment =
          switch (one) {
            case Stretch.Point(var term) -> {
              byte[] prefix = Keys.indexFrom(term.array());
              yield new Segment(prefix, Keys.withCounter(prefix, Long.MAX_VALUE), backward);
            }
            case Stretch.Range(var from, var to) ->
                new Segment(Keys.indexFrom(from.array()), Keys.indexFrom(to.array()), backward);
          };
      if (backward) {
        segments.addFirst(segment);
      } else {
        segments.addLast(segment);
      }
    }
  }

  /** Leaves out all before the term, and of the term's entries those below the counter. */
  void startAt(byte[] term, long counter) {
    byte[] first = Keys.index(term, counter);
    byte[] end = Keys.index(term, Long.MAX_VALUE);
    var rest = new ArrayList<>(segments);
    segments.clear();
    for (Segment segment : rest) {
      if (segment.backward) {
        addIfAny(new Segment(max(segment.from, first), min(segment.to, end), false));
        addIfAny(new Segment(segment.from, min(segment.to, Keys.index(term, 0)), true));
      } else {
        addIfAny(new Segment(max(segment.from, first), segment.to, false));
      }
    }
  }

  /** Leaves out all before the terms that begin so. */
  void startWith(byte[] prefix) {
    Stretch.Range range = RangeReader.beginningWith(prefix);
    byte[] first = Keys.indexFrom(range.fromInclusive().array());
    byte[] end = Keys.indexFrom(range.toExclusive().array());
    var rest = new ArrayList<>(segments);
    segments.clear();
    for (Segment segment : rest) {
      addIfAny(
          segment.backward
              ? new Segment(segment.from, min(segment.to, end), true)
              : new Segment(max(segment.from, first), segment.to, false));
    }
  }

  boolean hasNext() {
    while (at == found.size()) {
      if (segments.isEmpty()) {
        return false;
      }
      found.clear();
      at = 0;
      Segment segment = segments.removeFirst();
      if (segment.backward) {
        readBackward(segment);
      } else {
        readForward(segment);
      }
      stretch = Math.min(STRETCH_MAX, 2 * stretch);
    }
    return true;
  }

  byte[] term() {
    return Keys.termOfIndex(found.get(at).key());
  }

  long counter() {
    return Keys.counterAtEnd(found.get(at).key());
  }

  /** Whether the term begins so; no term's value is the beginning of another's. */
  boolean beginsWith(byte[] prefix) {
    byte[] key = found.get(at).key();
    return Arrays.equals(key, 1, Math.min(key.length, 1 + prefix.length), prefix, 0, prefix.length);
  }

  void advance() {
    at++;
  }

  private void readForward(Segment segment) {
    Page page = scan(Scan.forward(segment.from, segment.to));
    found.addAll(page.entries());
    if (page.more()) {
      segments.addFirst(new Segment(Keys.after(page.entries().getLast().key()), segment.to, false));
    }
  }

  /** The terms come backwards: each term's entries are turned round once they are all there. */
  private void readBackward(Segment segment) {
    Page page = scan(Scan.backward(segment.from, segment.to));
    List<Entry> entries = page.entries();
    int begin = 0;
    while (begin < entries.size()) {
      int end = begin + 1;
      while (end < entries.size() && sameTerm(entries.get(begin), entries.get(end))) {
        end++;
      }
      if (end == entries.size() && page.more()) {
        readLater(segment, Keys.termOfIndex(entries.get(begin).key()), begin == 0);
        return;
      }
      found.addAll(entries.subList(begin, end).reversed());
      begin = end;
    }
  }

  /** A term that may have more entries: by itself and forwards when it has very many. */
  private void readLater(Segment segment, byte[] term, boolean alone) {
    byte[] end = min(segment.to, Keys.index(term, Long.MAX_VALUE));
    if (alone) {
      byte[] begin = max(segment.from, Keys.index(term, 0));
      segments.addFirst(new Segment(segment.from, begin, true));
      segments.addFirst(new Segment(begin, end, false));
    } else {
      segments.addFirst(new Segment(segment.from, end, true));
    }
  }

  private Page scan(Scan scan) {
    long began = System.nanoTime();
    Page page = snapshot.scan(scan.atMost(stretch));
    items.sawState(page.head());
    tally.readEntries(page.entries().size());
    tally.indexNanos += System.nanoTime() - began;
    return page;
  }

  private void addIfAny(Segment segment) {
    if (Arrays.compareUnsigned(segment.from, segment.to) < 0) {
      segments.addLast(segment);
    }
  }

  private static boolean sameTerm(Entry one, Entry other) {
    byte[] a = one.key();
    byte[] b = other.key();
    return Arrays.equals(a, 0, a.length - 8, b, 0, b.length - 8);
  }

  private static byte[] max(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte[] min(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }
}
