package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;

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

  /** Whether all items with this term have the same values, so that they need no sorting. */
  public static boolean isExact(OrderedScan scan, byte[] term) {
    return switch (scan.index()) {
      case IndexPath _ -> end(term, TermWriter.HASH_BYTES, false, true) > 0;
      case CompositeIndex(var keys) -> {
        int at = TermWriter.HASH_BYTES;
        for (CompositeIndex.Key key : keys) {
          at = at < 0 ? at : end(term, at, key.descending(), true);
        }
        yield at > 0;
      }
    };
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
      at = end(first, at, key.descending(), false);
    }
    return Arrays.copyOf(first, at);
  }

  /** Where the value ends; -1 when it must be exact and is not. */
  private static int end(byte[] term, int at, boolean inverted, boolean exact) {
    int mask = inverted ? 0xFF : 0;
    return switch ((byte) (term[at] ^ mask)) {
      case TermWriter.NUMBER -> exact && !isExactNumber(term, at + 1, mask) ? -1 : at + 9;
      case TermWriter.TEXT -> endOfText(term, at + 1, mask, exact);
      case TermWriter.ARRAY, TermWriter.OBJECT -> exact ? -1 : at + 2;
      default -> at + 1;
    };
  }

  private static int endOfText(byte[] term, int from, int mask, boolean exact) {
    int at = from;
    while (true) {
      if ((byte) (term[at] ^ mask) != 0) {
        at++;
      } else {
        int next = (term[at + 1] ^ mask) & 0xFF;
        at += 2;
        if (next != 0xFF) {
          return exact && next != 0 ? -1 : at;
        }
      }
    }
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
