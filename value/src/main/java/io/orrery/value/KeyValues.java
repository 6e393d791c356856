package io.orrery.value;

import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Partition keys found in values. */
public final class KeyValues {
  private KeyValues() {}

  /**
   * The key of an item.
   *
   * @throws MalformedBody when an array or object stands where the key is expected
   */
  public static PartitionKey of(Value.Obj item, PartitionKeyDefinition definition) {
    var components = new ArrayList<KeyComponent>(definition.paths().size());
    for (List<String> path : definition.paths()) {
      components.add(component(at(item, path)));
    }
    return new PartitionKey(components);
  }

  /**
   * The key written as a JSON array, one element per component; an empty object stands for
   * undefined.
   *
   * @throws MalformedBody when it is something else
   */
  public static PartitionKey parse(String json) {
    if (!(Json.parse(json) instanceof Value.Arr(var items))) {
      throw new MalformedBody("A partition key is written as a JSON array");
    }
    return new PartitionKey(items.stream().map(KeyValues::component).toList());
  }

  /** The key as {@link #parse} reads it, in ASCII. */
  public static String text(PartitionKey key) {
    String json = new String(Json.write(value(key)), StandardCharsets.UTF_8);
    var ascii = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char unit = json.charAt(i);
      if (unit < 0x7F) {
        ascii.append(unit);
      } else {
        ascii.append("\\u").append(HexFormat.of().toHexDigits(unit));
      }
    }
    return ascii.toString();
  }

  /** The key as the array that {@link #parse} reads. */
  public static Value value(PartitionKey key) {
    return new Value.Arr(key.components().stream().map(KeyValues::value).toList());
  }

  private static Value value(KeyComponent component) {
    return switch (component) {
      case KeyComponent.Undefined u -> new Value.Obj(Map.of());
      case KeyComponent.Null n -> Value.NULL;
      case KeyComponent.Bool(boolean bool) -> Value.of(bool);
      case KeyComponent.Num(double number) -> Value.of(number);
      case KeyComponent.Text(String text) -> Value.of(text);
    };
  }

  /** What stands at the end of a path of property names, or undefined. */
  public static Value at(Value.Obj item, List<String> path) {
    Value value = item;
    for (String name : path) {
      value =
          value instanceof Value.Obj(var members)
              ? members.getOrDefault(name, Value.UNDEFINED)
              : Value.UNDEFINED;
    }
    return value;
  }

  // Adding zero turns negative zero, which hashes differently, into zero.
  private static KeyComponent component(Value value) {
    return switch (value) {
      case Value.Undefined u -> KeyComponent.Undefined.UNDEFINED;
      case Value.Null n -> KeyComponent.Null.NULL;
      case Value.Bool bool -> new KeyComponent.Bool(bool == Value.Bool.TRUE);
      case Value.Num number -> new KeyComponent.Num(number.asDouble() + 0.0);
      case Value.Text(String text) -> new KeyComponent.Text(text);
      case Value.Obj(var members) when members.isEmpty() -> KeyComponent.Undefined.UNDEFINED;
      case Value.Obj object ->
          throw new MalformedBody("A partition key component cannot be an object");
      case Value.Arr array ->
          throw new MalformedBody("A partition key component cannot be an array");
    };
  }
}
