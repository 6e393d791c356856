package io.orrery.fuzz;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.StoredItem;
import io.orrery.value.ItemBody;
import io.orrery.value.ItemView;
import io.orrery.value.Json;
import io.orrery.value.KeyValues;
import io.orrery.value.MalformedBody;
import io.orrery.value.MemberTexts;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks items as they are written, and as queries read them from what was stored. */
final class ItemTarget implements Target {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(
          List.of(List.of("pk"), List.of("o", "x")), PartitionKeyDefinition.Hashing.MULTI_HASH);
  private static final long TICKS = 17_000_000_001_234_567L;
  private static final List<String> SYSTEM =
      List.of("_rid", "_self", "_etag", "_attachments", "_ts");

  @Override
  public void run(byte[] input) {
    byte[] text = Expansion.of(input);
    memberTexts(text);
    ItemBody item;
    try {
      item = ItemBody.of(Body.json(text), KEY);
    } catch (MalformedBody refused) {
      return;
    }
    byte[] stored = item.body().bytes().array();
    Finding.unless(Arrays.equals(stored, Json.write(item.content())), "stored in another form");
    Finding.unlessEqual(item.content(), Json.parse(stored), "stored and read");
    Finding.unlessEqual(item.key(), KeyValues.of(RawJson.object(stored), KEY), "key in the text");
    Finding.unlessEqual(
        item, ItemBody.of(item.body(), KEY), "an item that was read and is written again");
    Finding.unless(item.weightBytes() >= stored.length, "weighs less than its text");
    view(item);
  }

  private static void view(ItemBody item) {
    var stored = new StoredItem(7, item.body(), 8, 9, TICKS);
    Value.Obj view = ItemView.of(stored, "AAAAAAAAAAA=");
    var tree = new LinkedHashMap<>(item.content().members());
    SYSTEM.forEach(name -> tree.put(name, view.members().getOrDefault(name, Value.NULL)));
    Finding.unlessEqual(tree.size(), view.members().size(), "members of a view");
    for (Map.Entry<String, Value> member : tree.entrySet()) {
      Finding.unlessEqual(
          member.getValue(), view.members().get(member.getKey()), "member of a view");
    }
    Finding.unlessEqual(
        List.copyOf(tree.keySet()), List.copyOf(view.members().keySet()), "names of a view");
    Finding.unless(RawJson.isNamed(view, List.copyOf(tree.keySet())), "names are not its names");
    Value whole = Json.parse(Json.write(view));
    Finding.unlessEqual(new Value.Obj(tree), whole, "a view written and read");
  }

  /** One member stays text; together with the others it is the whole. */
  private static void memberTexts(byte[] text) {
    List<MemberTexts.Part> parts;
    try {
      parts = MemberTexts.parse(text, "resourceBody");
    } catch (MalformedBody refused) {
      return;
    }
    List<Value> whole = ((Value.Arr) Json.parse(text)).items();
    Finding.unlessEqual(whole.size(), parts.size(), "parts of an array");
    for (int i = 0; i < parts.size(); i++) {
      Body body = parts.get(i).text();
      if (body != null) {
        Value expected = ((Value.Obj) whole.get(i)).members().get("resourceBody");
        Finding.unlessEqual(expected, Json.parse(body.bytes().array()), "a body as text");
      }
    }
  }
}
