package io.orrery.routing.definition;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.routing.definition.Members.Writer;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partition key of a container, as the client wrote it and as the house uses it.
 *
 * @param json what is shown: without a version where the client gave none
 */
record KeyPolicy(PartitionKeyDefinition definition, Value.Obj json) {
  private static final int MULTI_HASH_PATHS_MAX = 3;

  static KeyPolicy of(Members given) {
    List<String> paths = given.texts("paths");
    String kind = given.oneOf("kind", "Hash", List.of("Hash", "MultiHash"));
    boolean multiHash = kind.equals("MultiHash");
    checkNumber(paths, multiHash);
    Integer version = version(given);
    if (multiHash && version == null) {
      version = 2;
    }
    if (multiHash && !Integer.valueOf(2).equals(version)) {
      throw new MalformedBody("A partition key of kind MultiHash needs version 2");
    }
    var names = new ArrayList<List<String>>();
    paths.forEach(path -> names.add(KeyPath.partitionKey(path)));
    if (new HashSet<>(names).size() < names.size()) {
      throw new MalformedBody("The paths of a partition key must differ from each other");
    }
    Hashing hashing =
        multiHash
            ? Hashing.MULTI_HASH
            : version != null && version == 2 ? Hashing.HASH_V2 : Hashing.HASH_V1;
    return new KeyPolicy(
        new PartitionKeyDefinition(names, hashing),
        new Writer()
            .put("paths", given.value("paths"))
            .put("kind", kind)
            .put("version", version)
            .put(
                "systemKey",
                given.has("systemKey") ? Value.of(given.flag("systemKey", false)) : null)
            .done());
  }

  private static void checkNumber(List<String> paths, boolean multiHash) {
    if (multiHash && (paths.isEmpty() || paths.size() > MULTI_HASH_PATHS_MAX)) {
      throw new MalformedBody(
          "A partition key of kind MultiHash has 1 to " + MULTI_HASH_PATHS_MAX + " paths");
    }
    if (!multiHash && paths.size() != 1) {
      throw new MalformedBody(
          "A partition key of kind Hash has exactly one path; for several use kind MultiHash");
    }
  }

  private static @Nullable Integer version(Members given) {
    return switch (given.value("version")) {
      case null -> null;
      case Value.Int64(long number) when number == 1 || number == 2 -> (int) number;
      case Value.Text(String text) when text.equalsIgnoreCase("V1") -> 1;
      case Value.Text(String text) when text.equalsIgnoreCase("V2") -> 2;
      case Value other -> throw given.wrong("version", "1 or 2");
    };
  }
}
