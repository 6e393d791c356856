package io.orrery.value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values over canonical JSON text, as {@link Json#write} makes it: members and elements are found
 * in the bytes when they are asked for, and the bytes are copied when the value is written again.
 * Equal to what {@link Json#parse} makes of the same text. The text is trusted, not checked.
 */
public final class RawJson {
  private RawJson() {}

  /** The one value that the text is. */
  public static Value of(byte[] text) {
    return JsonBytes.value(text, 0, text.length);
  }

  /** The object that the text is. */
  public static Value.Obj object(byte[] text) {
    return new Value.Obj(new RawObject(text, 0, text.length));
  }

  /** About how many bytes of text an object or array still is; -1 for every other value. */
  public static int sizeOf(Value value) {
    return switch (value) {
      case Value.Obj(RawText raw) -> raw.sizeBytes();
      case Value.Arr(RawText raw) -> raw.sizeBytes();
      default -> -1;
    };
  }

  /** The memory that an array took to know where its elements are in its text; else nothing. */
  public static int indexBytes(Value value) {
    return value instanceof Value.Arr(RawArray array) ? array.indexBytes() : 0;
  }

  /** Whether the members of an object have these names, in this order. */
  public static boolean isNamed(Value.Obj object, List<String> names) {
    return switch (object.members()) {
      case RawObject raw -> raw.isNamed(names, names.size());
      case ItemView item -> item.isNamed(names);
      default -> List.copyOf(object.members().keySet()).equals(names);
    };
  }

  /**
   * The value as text of its own: it no longer holds on to the items it was taken from. What holds
   * a number that JSON has no form for stays no text.
   */
  public static Value detached(Value value) {
    if (!(value instanceof Value.Obj) && !(value instanceof Value.Arr)) {
      return value;
    }
    JsonOut out = Json.written(value);
    return out.hasNonFiniteNumbers() ? copied(value) : of(out.toBytes());
  }

  /** Only what was built holds such numbers; parts of text become text of their own. */
  private static Value copied(Value value) {
    return switch (value) {
      case Value.Obj(RawText _), Value.Arr(RawText _) -> of(Json.write(value));
      case Value.Arr(List<Value> items) ->
          new Value.Arr(items.stream().map(RawJson::copied).toList());
      case Value.Obj(Map<String, Value> members) -> {
        Map<String, Value> own = LinkedHashMap.newLinkedHashMap(members.size());
        members.forEach((name, member) -> own.put(name, copied(member)));
        yield new Value.Obj(own);
      }
      default -> value;
    };
  }

  /**
   * Whether a value that still is text nests deeper than so many levels. Passes over the text,
   * unless it is too short for that; other values are not looked into.
   */
  public static boolean nestsDeeper(Value value, int levels) {
    return switch (value) {
      case Value.Obj(RawObject raw) -> raw.nestsDeeper(levels);
      case Value.Arr(RawArray raw) -> raw.nestsDeeper(levels);
      default -> false;
    };
  }
}
