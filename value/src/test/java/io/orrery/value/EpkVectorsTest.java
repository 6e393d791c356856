package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Hashes agree with the vectors made by the official Java client's own code. */
class EpkVectorsTest {

  @Test
  void everyVectorAgrees() throws IOException {
    List<Value> vectors = vectors();
    assertEquals(87, vectors.size());
    for (Value vector : vectors) {
      var members = ((Value.Obj) vector).members();
      PartitionKey key = keyOf(members);
      check(members, "hashV1", key, definition(Hashing.HASH_V1, key.components().size()));
      check(members, "hashV2", key, definition(Hashing.HASH_V2, key.components().size()));
      check(members, "hashV1_multiPathHashKind", key, definition(Hashing.HASH_V1, 3));
      check(members, "hashV2_multiPathHashKind", key, definition(Hashing.HASH_V2, 3));
      check(members, "multiHash", key, definition(Hashing.MULTI_HASH, 3));
      checkPrefix(members, key);
    }
  }

  private static void check(
      Map<String, Value> vector, String name, PartitionKey key, PartitionKeyDefinition definition) {
    if (vector.get(name) instanceof Value.Text(String expected)) {
      assertEquals(expected, EffectivePartitionKey.of(key, definition).hex(), name + " of " + key);
    }
  }

  private static void checkPrefix(Map<String, Value> vector, PartitionKey key) {
    if (vector.get("multiHashPrefixRangeOf3") instanceof Value.Obj(var range)) {
      var actual = EffectivePartitionKey.rangeOf(key, definition(Hashing.MULTI_HASH, 3));
      assertEquals(range.get("min"), Value.of(actual.min().hex()));
      assertEquals(range.get("max"), Value.of(actual.max().hex()));
    }
  }

  /** Data never holds a negative zero key, so the reader of keys cannot make that vector's. */
  private static PartitionKey keyOf(Map<String, Value> vector) {
    String header = ((Value.Text) Objects.requireNonNull(vector.get("javaHeader"))).value();
    return header.equals("[-0.0]")
        ? PartitionKey.of(new KeyComponent.Num(-0.0))
        : KeyValues.parse(header);
  }

  private static PartitionKeyDefinition definition(Hashing hashing, int paths) {
    return new PartitionKeyDefinition(
        List.of(List.of("a"), List.of("b"), List.of("c")).subList(0, paths), hashing);
  }

  private static List<Value> vectors() throws IOException {
    try (var in =
        Objects.requireNonNull(EpkVectorsTest.class.getResourceAsStream("/epk-vectors.json"))) {
      var root = ((Value.Obj) Json.parse(in.readAllBytes())).members();
      return ((Value.Arr) Objects.requireNonNull(root.get("vectors"))).items();
    }
  }
}
