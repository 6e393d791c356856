package io.orrery.value;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Elements that are read from the text when they are asked for. */
final class RawArray extends AbstractList<Value> implements RawText, RandomAccess {
  private static final int[] NONE = {};

  private final byte[] text;
  private final int from;
  private final int to;

  /** Where the elements start; found when first needed. Threads that race for it find the same. */
  private int @Nullable [] starts;

  /** The text from the opening bracket to behind the closing one. */
  RawArray(byte[] text, int from, int to) {
    this.text = text;
    this.from = from;
    this.to = to;
  }

  @Override
  public Value get(int index) {
    int at = starts()[index];
    return JsonBytes.value(text, at, JsonBytes.skip(text, at));
  }

  @Override
  public int size() {
    return starts().length;
  }

  @Override
  public boolean isEmpty() {
    return text[from + 1] == ']';
  }

  private int[] starts() {
    int[] known = starts;
    if (known == null) {
      known = isEmpty() ? NONE : scan();
      starts = known;
    }
    return known;
  }

  private int[] scan() {
    var found = new int[8];
    int count = 0;
    int at = from;
    while (text[at] != ']') {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = at + 1;
      at = JsonBytes.skip(text, at + 1);
    }
    return Arrays.copyOf(found, count);
  }

  @Override
  public Iterator<Value> iterator() {
    return new Elements();
  }

  @Override
  public void putInto(JsonOut out) {
    out.put(text, from, to);
  }

  @Override
  public int sizeBytes() {
    return to - from;
  }

  boolean nestsDeeper(int levels) {
    return JsonBytes.nestsDeeper(text, from, to, levels);
  }

  /** What is kept besides the text. */
  int indexBytes() {
    int[] known = starts;
    return known == null ? 0 : Integer.BYTES * known.length;
  }

  private final class Elements implements Iterator<Value> {
    /** The bracket or comma before the next element, or the closing bracket. */
    private int at = isEmpty() ? from + 1 : from;

    @Override
    public boolean hasNext() {
      return text[at] != ']';
    }

    @Override
    public Value next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int start = at + 1;
      at = JsonBytes.skip(text, start);
      return JsonBytes.value(text, start, at);
    }
  }
}
