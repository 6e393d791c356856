package io.orrery.fuzz;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.value.KeyValues;
import io.orrery.value.MalformedBody;
import java.util.List;

/** Reads the header that names a partition key, writes it again and hashes it. */
final class KeyTarget implements Target {
  private static final int HASHED_MAX = 100;

  @Override
  public void run(byte[] input) {
    PartitionKey key;
    try {
      key = KeyValues.parse(Utf8.text(input));
    } catch (MalformedBody refused) {
      return;
    }
    String text = KeyValues.text(key);
    Finding.unless(text.chars().allMatch(c -> c >= ' ' && c < 0x7F), "not ASCII: " + text);
    Finding.unlessEqual(key, KeyValues.parse(text), "written and read again");
    Finding.unlessEqual(text, KeyValues.text(KeyValues.parse(text)), "written twice");
    for (KeyComponent component : key.components().stream().limit(HASHED_MAX).toList()) {
      hash(PartitionKey.of(component), Hashing.HASH_V1);
      hash(PartitionKey.of(component), Hashing.HASH_V2);
    }
    if (!key.components().isEmpty() && key.components().size() <= 3) {
      hash(key, Hashing.MULTI_HASH);
    }
  }

  private static void hash(PartitionKey key, Hashing hashing) {
    var definition = new PartitionKeyDefinition(List.of(List.of("k")), hashing);
    EffectivePartitionKey epk = EffectivePartitionKey.of(key, definition);
    Finding.unlessEqual(epk, EffectivePartitionKey.of(key, definition), "hashed twice");
  }
}
