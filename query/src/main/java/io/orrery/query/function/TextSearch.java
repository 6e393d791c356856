package io.orrery.query.function;

/**
 * Finds a text in another in time that grows with the sum of their lengths. The JDK's search takes
 * their product where long stretches of both are alike.
 */
final class TextSearch {
  /** Up to here the JDK's search is fast, whatever the texts are. */
  private static final int SHORT_CHARS = 32;

  private static final int SLICE_CHARS = 64 << 10;

  private TextSearch() {}

  static boolean contains(String text, String part, Work work) {
    return indexOf(text, part, 0, work) >= 0;
  }

  /** The first place from the given one on, or -1. */
  static int indexOf(String text, String part, int from, Work work) {
    if (part.length() > text.length() - from) {
      return -1;
    }
    return part.length() <= SHORT_CHARS
        ? shortIndexOf(text, part, from, work)
        : new Pattern(text, part, false, work).first(from);
  }

  /** The last place up to the given one, or -1. */
  static int lastIndexOf(String text, String part, int from, Work work) {
    int start = Math.min(from, text.length() - part.length());
    if (start < 0) {
      return -1;
    }
    if (part.length() <= SHORT_CHARS) {
      work.chars(text.length());
      return text.lastIndexOf(part, start);
    }
    int reversed = new Pattern(text, part, true, work).first(text.length() - part.length() - start);
    return reversed < 0 ? -1 : text.length() - part.length() - reversed;
  }

  private static int shortIndexOf(String text, String part, int from, Work work) {
    if (text.length() - from <= SLICE_CHARS) {
      work.chars(text.length() - from);
      return text.indexOf(part, from);
    }
    for (int start = from; start <= text.length() - part.length(); start += SLICE_CHARS) {
      int end = Math.min(text.length(), start + SLICE_CHARS + part.length());
      work.chars(SLICE_CHARS);
      int found = text.indexOf(part, start, end);
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  /** Knuth, Morris and Pratt's search, forwards or backwards. */
  private static final class Pattern {
    private final String text;
    private final String part;
    private final boolean reversed;
    private final Work work;
    private final int[] border;

    Pattern(String text, String part, boolean reversed, Work work) {
      this.text = text;
      this.part = part;
      this.reversed = reversed;
      this.work = work;
      work.take(4L * part.length());
      this.border = border();
    }

    private static char at(String string, int index, boolean reversed) {
      return string.charAt(reversed ? string.length() - 1 - index : index);
    }

    private int[] border() {
      work.steps(part.length() >> 4);
      int[] lengths = new int[part.length()];
      int length = 0;
      for (int i = 1; i < part.length(); i++) {
        char next = at(part, i, reversed);
        while (length > 0 && at(part, length, reversed) != next) {
          length = lengths[length - 1];
        }
        if (at(part, length, reversed) == next) {
          length++;
        }
        lengths[i] = length;
      }
      return lengths;
    }

    int first(int from) {
      int matched = 0;
      for (int i = from; i < text.length(); i++) {
        if ((i & 0xFFF) == 0) {
          work.steps(1 << 8);
        }
        char next = at(text, i, reversed);
        while (matched > 0 && at(part, matched, reversed) != next) {
          matched = border[matched - 1];
        }
        if (at(part, matched, reversed) == next) {
          matched++;
        }
        if (matched == part.length()) {
          return i + 1 - matched;
        }
      }
      return -1;
    }
  }
}
