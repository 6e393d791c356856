package io.orrery.query.function;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A LIKE pattern: {@code %} any run, {@code _} any character, {@code [a-f]} and {@code [^a-f]} one
 * of a set. Matching goes back to the last {@code %} only, so it takes at most text times pattern
 * steps.
 */
public final class LikePattern {
  /** The planner leaves longer patterns to the items: no index term and no key is so long. */
  public static final int PLANNED_CHARS_MAX = 10_000;

  private static final int RUN = -1;
  private static final int ANY = -2;
  private static final int SET = -3;

  /** An element, its references in a list and in an array, and its code point. */
  private static final long ELEMENT_BYTES = 48;

  /** Ranges without overlap, in order. */
  private static final class CharSet {
    private final boolean negated;
    private final int[] starts;
    private final int[] ends;

    private CharSet(boolean negated, int[] starts, int[] ends) {
      this.negated = negated;
      this.starts = starts;
      this.ends = ends;
    }

    static CharSet of(boolean negated, List<int[]> ranges) {
      List<int[]> merged = new ArrayList<>();
      ranges.sort(Comparator.comparingInt(range -> range[0]));
      for (int[] range : ranges) {
        if (range[0] > range[1]) {
          continue;
        }
        int[] before = merged.isEmpty() ? null : merged.getLast();
        if (before != null && range[0] <= before[1]) {
          before[1] = Math.max(before[1], range[1]);
        } else {
          merged.add(range);
        }
      }
      return new CharSet(
          negated,
          merged.stream().mapToInt(range -> range[0]).toArray(),
          merged.stream().mapToInt(range -> range[1]).toArray());
    }

    boolean contains(int c) {
      int at = Arrays.binarySearch(starts, c);
      int range = at >= 0 ? at : -at - 2;
      return negated != (range >= 0 && c <= ends[range]);
    }
  }

  private record Element(int kind, CharSet set) {}

  private static final CharSet NONE = new CharSet(false, new int[0], new int[0]);
  private final Element[] elements;

  private LikePattern(Element[] elements) {
    this.elements = elements;
  }

  /** Draws the memory of a compiled pattern; one in the text of a query is short. */
  public static void draw(String pattern, Work work) {
    work.take(ELEMENT_BYTES * pattern.length());
    work.steps(pattern.length() >> 4);
  }

  /** The escape is one character, or negative for none. */
  public static LikePattern compile(String pattern, int escape) {
    List<Element> elements = new ArrayList<>();
    int[] points = pattern.codePoints().toArray();
    int lastClosing = -1;
    for (int i = 0; i < points.length; i++) {
      lastClosing = points[i] == ']' ? i : lastClosing;
    }
    int i = 0;
    while (i < points.length) {
      int c = points[i++];
      if (c == escape && i < points.length) {
        elements.add(new Element(points[i++], NONE));
      } else if (c == '%') {
        if (elements.isEmpty() || elements.getLast().kind != RUN) {
          elements.add(new Element(RUN, NONE));
        }
      } else if (c == '_') {
        elements.add(new Element(ANY, NONE));
      } else if (c == '[' && closing(points, i, lastClosing) > 0) {
        int end = closing(points, i, lastClosing);
        elements.add(new Element(SET, set(points, i, end)));
        i = end + 1;
      } else {
        elements.add(new Element(c, NONE));
      }
    }
    return new LikePattern(elements.toArray(Element[]::new));
  }

  /** Where the set that starts here ends; a bracket directly at its start is one of the set. */
  private static int closing(int[] points, int start, int last) {
    int first = start < points.length && points[start] == '^' ? start + 1 : start;
    for (int i = first + 1; i <= last; i++) {
      if (points[i] == ']') {
        return i;
      }
    }
    return -1;
  }

  private static CharSet set(int[] points, int start, int end) {
    boolean negated = points[start] == '^';
    List<int[]> ranges = new ArrayList<>();
    int i = negated ? start + 1 : start;
    while (i < end) {
      boolean range = i + 2 < end && points[i + 1] == '-';
      ranges.add(new int[] {points[i], points[range ? i + 2 : i]});
      i += range ? 3 : 1;
    }
    return CharSet.of(negated, ranges);
  }

  /** The only text that matches, null when there may be others. */
  public @Nullable String literal() {
    StringBuilder text = new StringBuilder();
    for (Element element : elements) {
      if (element.kind < 0) {
        return null;
      }
      text.appendCodePoint(element.kind);
    }
    return text.toString();
  }

  /** What every text that matches begins with. */
  public String prefix() {
    StringBuilder text = new StringBuilder();
    for (Element element : elements) {
      if (element.kind < 0) {
        break;
      }
      text.appendCodePoint(element.kind);
    }
    return text.toString();
  }

  public boolean matches(String input, Work work) {
    work.take(4L * input.length());
    int[] text = input.codePoints().toArray();
    int at = 0;
    int element = 0;
    int runElement = -1;
    int runAt = 0;
    int looks = 0;
    while (at < text.length) {
      if ((++looks & 0xF) == 0) {
        work.steps(1);
      }
      if (element < elements.length && elements[element].kind == RUN) {
        runElement = element++;
        runAt = at;
      } else if (element < elements.length && fits(elements[element], text[at])) {
        element++;
        at++;
      } else if (runElement >= 0) {
        element = runElement + 1;
        at = ++runAt;
      } else {
        return false;
      }
    }
    while (element < elements.length && elements[element].kind == RUN) {
      element++;
    }
    return element == elements.length;
  }

  private static boolean fits(Element element, int c) {
    return switch (element.kind) {
      case ANY -> true;
      case SET -> element.set.contains(c);
      default -> element.kind == c;
    };
  }
}
