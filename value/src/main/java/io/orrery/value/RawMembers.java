package io.orrery.value;

/**
 * Walks over the members of an object in canonical JSON text, as it is stored, and builds nothing
 * but what is asked for. The text is trusted, not checked.
 */
public final class RawMembers {
  private final byte[] text;
  private int at;
  private int nameFrom;
  private int nameTo;
  private int valueFrom;
  private int valueTo;

  /** Begins before the first member of the object whose opening brace is here. */
  public RawMembers(byte[] text, int from) {
    this.text = text;
    this.at = from + 1;
  }

  /** Goes to the next member; false when there is none. */
  public boolean next() {
    if (text[at] != '"') {
      return false;
    }
    nameFrom = at + 1;
    int nameEnd = JsonBytes.skipString(text, at);
    nameTo = nameEnd - 1;
    valueFrom = nameEnd + 1;
    valueTo = JsonBytes.skip(text, valueFrom);
    at = text[valueTo] == ',' ? valueTo + 1 : valueTo;
    return true;
  }

  public boolean isNamed(String name) {
    return JsonBytes.matches(text, nameFrom, nameTo, name);
  }

  public String name() {
    return JsonBytes.string(text, nameFrom, nameTo);
  }

  /** Where the name begins, behind its quote. */
  public int nameFrom() {
    return nameFrom;
  }

  /** Where the name ends, before its quote. */
  public int nameTo() {
    return nameTo;
  }

  public int valueFrom() {
    return valueFrom;
  }

  public int valueTo() {
    return valueTo;
  }

  /** The value of the member; objects and arrays stay text. */
  public Value value() {
    return JsonBytes.value(text, valueFrom, valueTo);
  }

  /** The text of a member that is a string. */
  public String string() {
    return JsonBytes.string(text, valueFrom + 1, valueTo - 1);
  }

  /** Whether the member is this string. */
  public boolean isString(String string) {
    return text[valueFrom] == '"' && JsonBytes.matches(text, valueFrom + 1, valueTo - 1, string);
  }
}
