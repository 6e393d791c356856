package io.orrery.fuzz;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.table.FuzzedTable;
import io.orrery.value.ItemBody;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads entities; kept as items and shown again they have the same properties. */
final class EntityTarget implements Target {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("$pk")), PartitionKeyDefinition.Hashing.HASH_V2);

  @Override
  public void run(byte[] input) {
    byte[] text = Expansion.of(input);
    Object properties = FuzzedTable.properties(text);
    if (properties == null) {
      return;
    }
    Body item = FuzzedTable.item(text);
    Finding.unless(item != null, "read, and then refused");
    if (item == null) {
      return;
    }
    byte[] kept;
    try {
      kept = ItemBody.of(item, KEY).body().bytes().array();
    } catch (MalformedBody refused) {
      // The key may hold what an id must not: that is checked before the item is made.
      return;
    }
    Finding.unlessEqual(properties, shown(kept, false), "shown and read again");
    Finding.unlessEqual(properties, shown(kept, true), "shown in full and read again");
  }

  private static Object shown(byte[] item, boolean full) {
    byte[] shown = FuzzedTable.shown(item, full);
    try {
      var _ = Json.parse(shown);
    } catch (MalformedBody notJson) {
      throw new Finding("Shown as " + new String(shown, StandardCharsets.UTF_8), notJson);
    }
    Object properties = FuzzedTable.properties(shown);
    if (properties == null) {
      throw new Finding("Shown as " + new String(shown, StandardCharsets.UTF_8));
    }
    return properties;
  }
}
