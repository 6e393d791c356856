package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.value.Json;
import io.orrery.value.KeyValues;
import io.orrery.value.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * The combinations of values that only one item of a logical partition may have. A path that an
 * item lacks counts as null, as the service has it.
 */
public record UniqueKeys(List<Paths> keys) {
  public static final UniqueKeys NONE = new UniqueKeys(List.of());

  /** The paths of one unique key, each a list of property names. */
  public record Paths(List<List<String>> paths) {}

  public UniqueKeys {
    keys = List.copyOf(keys);
  }

  /** The entries that hold the item's values, one per unique key. */
  List<byte[]> entries(byte[] logicalPartition, Value.Obj item) {
    var entries = new ArrayList<byte[]>(keys.size());
    for (int number = 0; number < keys.size(); number++) {
      List<Value> values =
          keys.get(number).paths().stream().map(path -> valueAt(item, path)).toList();
      entries.add(Keys.unique(logicalPartition, number, digest(values)));
    }
    return entries;
  }

  private static Value valueAt(Value.Obj item, List<String> path) {
    Value value = KeyValues.at(item, path);
    return value instanceof Value.Undefined ? Value.NULL : value;
  }

  /** Numbers are in their shortest form since the item was read, so equal values have one text. */
  private static byte[] digest(List<Value> values) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Json.write(new Value.Arr(values)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("The platform has no SHA-256", e);
    }
  }
}
