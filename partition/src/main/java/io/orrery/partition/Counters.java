package io.orrery.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Ascending counters of items, found as they are asked for. */
interface Counters {
  /** Behind every counter. */
  long END = Long.MAX_VALUE;

  Counters NONE = atLeast -> END;

  /** The first counter that is not below; what is asked for never falls. */
  long next(long atLeast);

  static Counters of(Roaring64Bitmap bitmap) {
    return new Counters() {
      private LongIterator iterator = bitmap.getLongIterator();
      private long current = -1;

      @Override
      public long next(long atLeast) {
        if (current >= atLeast) {
          return current;
        }
        if (iterator.hasNext()) {
          current = iterator.next();
        } else {
          return END;
        }
        if (current < atLeast) {
          iterator = bitmap.getLongIteratorFrom(atLeast);
          current = iterator.hasNext() ? iterator.next() : END;
        }
        return current;
      }
    };
  }

  /** Of ascending counters. */
  static Counters of(long[] counters) {
    return new Counters() {
      private int at;

      @Override
      public long next(long atLeast) {
        if (at < counters.length && counters[at] < atLeast) {
          int place = Arrays.binarySearch(counters, at, counters.length, atLeast);
          at = place < 0 ? -place - 1 : place;
        }
        return at < counters.length ? counters[at] : END;
      }
    };
  }

  /** What all have: whoever is furthest tells the others where to look. */
  static Counters all(List<Counters> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    return atLeast -> {
      long candidate = atLeast;
      int agreed = 0;
      for (int i = 0; agreed < parts.size(); i = (i + 1) % parts.size()) {
        long found = parts.get(i).next(candidate);
        if (found == END) {
          return END;
        }
        agreed = found == candidate ? agreed + 1 : 1;
        candidate = found;
      }
      return candidate;
    };
  }

  /** What any has, each once. */
  static Counters any(List<Counters> parts) {
    return parts.size() == 1 ? parts.getFirst() : new Union(parts);
  }

  /** The parts by their present counters. */
  final class Union implements Counters {
    private static final class Part {
      private final Counters counters;
      private long current = -1;

      Part(Counters counters) {
        this.counters = counters;
      }
    }

    private final PriorityQueue<Part> parts =
        new PriorityQueue<>(Comparator.comparingLong(part -> part.current));

    private Union(List<Counters> parts) {
      parts.forEach(part -> this.parts.add(new Part(part)));
    }

    @Override
    public long next(long atLeast) {
      Part first = parts.peek();
      while (first != null && first.current < atLeast) {
        parts.remove();
        first.current = first.counters.next(atLeast);
        parts.add(first);
        first = parts.peek();
      }
      return first == null ? END : first.current;
    }
  }
}
