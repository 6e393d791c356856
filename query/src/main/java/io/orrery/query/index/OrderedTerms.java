package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds places in an ordered scan, and what its terms tell of the values behind them. */
public final class OrderedTerms {
  private static final double EXACT_BELOW = 0x1p53;

  private OrderedTerms() {}

  /** The term of the items with these sort keys. */
  public static byte[] term(OrderedScan scan, List<Value> keys) {
    return switch (scan.index()) {
      case IndexPath path -> TermEncoding.term(path, keys.getFirst());
      case CompositeIndex composite -> {
        List<CompositeIndex.Key> all = composite.keys();
        int fixed = all.size() - scan.keys();
        var writer = new TermWriter().raw(fixed(scan, all.subList(0, fixed)));
        for (int i = fixed; i < all.size(); i++) {
          writer.value(keys.get(i - fixed), all.get(i).descending());
        }
        yield writer.done();
      }
    };
  }

  /**
   * The bytes up to the first value that the term does not tell exactly: the order of all items
   * whose terms begin so is for the items to tell. Null when the term tells the order.
   */
  public static byte @Nullable [] inexactPrefix(OrderedScan scan, byte[] term) {
    int at = TermWriter.HASH_BYTES;
    int fixed = 0;
    List<CompositeIndex.Key> keys = List.of();
    switch (scan.index()) {
      case IndexPath path -> keys = List.of(new CompositeIndex.Key(path, false));
      case CompositeIndex composite -> {
        keys = composite.keys();
        fixed = keys.size() - scan.keys();
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      boolean inverted = keys.get(i).descending();
      int end = end(term, at, inverted);
      if (i >= fixed && !isExact(term, at, end, inverted ? 0xFF : 0)) {
        return Arrays.copyOf(term, end);
      }
      at = end;
    }
    return null;
  }

  /** The hash and the values that a filter has fixed: the same in all stretches. */
  private static byte[] fixed(OrderedScan scan, List<CompositeIndex.Key> keys) {
    byte[] first =
        switch (scan.stretches().getFirst()) {
          case Stretch.Point(var term) -> term.array();
          case Stretch.Range(var from, var to) -> from.array();
        };
    int at = TermWriter.HASH_BYTES;
    for (CompositeIndex.Key key : keys) {
      at = end(first, at, key.descending());
    }
    return Arrays.copyOf(first, at);
  }

  private static int end(byte[] term, int at, boolean inverted) {
    int mask = inverted ? 0xFF : 0;
    return switch ((byte) (term[at] ^ mask)) {
      case TermWriter.NUMBER -> at + 9;
      case TermWriter.TEXT -> endOfText(term, at + 1, mask);
      case TermWriter.ARRAY, TermWriter.OBJECT -> at + 2;
      default -> at + 1;
    };
  }

  private static int endOfText(byte[] term, int from, int mask) {
    int at = from;
    while (true) {
      if ((byte) (term[at] ^ mask) != 0) {
        at++;
      } else if ((byte) (term[at + 1] ^ mask) == (byte) 0xFF) {
        at += 2;
      } else {
        return at + 2;
      }
    }
  }

  private static boolean isExact(byte[] term, int at, int end, int mask) {
    return switch ((byte) (term[at] ^ mask)) {
      case TermWriter.NUMBER -> isExactNumber(term, at + 1, mask);
      case TermWriter.TEXT -> (byte) (term[end - 1] ^ mask) == 0;
      case TermWriter.ARRAY, TermWriter.OBJECT -> false;
      default -> true;
    };
  }

  private static boolean isExactNumber(byte[] term, int at, int mask) {
    long bits = 0;
    for (int i = 0; i < 8; i++) {
      bits = bits << 8 | ((term[at + i] ^ mask) & 0xFF);
    }
    double number = Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
    return Math.abs(number) < EXACT_BELOW;
  }
}
