package io.orrery.value;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members that are found in the text when they are asked for. */
final class RawObject extends AbstractMap<String, Value> implements RawText {
  private final byte[] text;
  private final int from;
  private final int to;

  /** The text from the opening brace to behind the closing one. */
  RawObject(byte[] text, int from, int to) {
    this.text = text;
    this.from = from;
    this.to = to;
  }

  @Override
  public @Nullable Value get(Object key) {
    return key instanceof String name ? find(name) : null;
  }

  @Override
  public Value getOrDefault(Object key, Value otherwise) {
    Value found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof String name && offset(name) >= 0;
  }

  private @Nullable Value find(String name) {
    int at = offset(name);
    return at < 0 ? null : JsonBytes.value(text, at, JsonBytes.skip(text, at));
  }

  /** Where the member's value starts; -1 when there is no such member. */
  private int offset(String name) {
    int at = from + 1;
    while (text[at] == '"') {
      int end = JsonBytes.skipString(text, at);
      if (JsonBytes.matches(text, at + 1, end - 1, name)) {
        return end + 1;
      }
      at = afterComma(JsonBytes.skip(text, end + 1));
    }
    return -1;
  }

  /** Whether the members have the first of these names, in this order, and there are no others. */
  boolean isNamed(List<String> names, int count) {
    int at = from + 1;
    for (int i = 0; i < count; i++) {
      if (text[at] != '"') {
        return false;
      }
      int end = JsonBytes.skipString(text, at);
      if (!JsonBytes.matches(text, at + 1, end - 1, names.get(i))) {
        return false;
      }
      at = afterComma(JsonBytes.skip(text, end + 1));
    }
    return text[at] != '"';
  }

  private int afterComma(int end) {
    return text[end] == ',' ? end + 1 : end;
  }

  @Override
  public boolean isEmpty() {
    return text[from + 1] == '}';
  }

  @Override
  public int size() {
    int size = 0;
    for (int at = from + 1; text[at] == '"'; size++) {
      at = afterComma(JsonBytes.skip(text, JsonBytes.skipString(text, at) + 1));
    }
    return size;
  }

  @Override
  public Set<Map.Entry<String, Value>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Value>> iterator() {
        return new Members();
      }

      @Override
      public int size() {
        return RawObject.this.size();
      }
    };
  }

  @Override
  public void putInto(JsonOut out) {
    out.put(text, from, to);
  }

  /** Everything but the closing brace. */
  void putOpen(JsonOut out) {
    out.put(text, from, to - 1);
  }

  @Override
  public int sizeBytes() {
    return to - from;
  }

  boolean nestsDeeper(int levels) {
    return JsonBytes.nestsDeeper(text, from, to, levels);
  }

  private final class Members implements Iterator<Map.Entry<String, Value>> {
    private int at = from + 1;

    @Override
    public boolean hasNext() {
      return text[at] == '"';
    }

    @Override
    public Map.Entry<String, Value> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int nameEnd = JsonBytes.skipString(text, at);
      String name = JsonBytes.string(text, at + 1, nameEnd - 1);
      int end = JsonBytes.skip(text, nameEnd + 1);
      at = afterComma(end);
      return Map.entry(name, JsonBytes.value(text, nameEnd + 1, end));
    }
  }
}
