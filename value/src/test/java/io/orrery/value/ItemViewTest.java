package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.ResourceId;
import io.orrery.operation.StoredItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ItemViewTest {
  private static final String CONTAINER = ResourceId.container(7, 3);

  @Test
  void theCommitTimeIsThereForWhoAsks() {
    var item = new StoredItem(5, Body.json("{\"id\":\"a\"}"), 9, 1, 17_000_000_000_000_001L);
    Value.Obj view = ItemView.of(item, CONTAINER);
    assertEquals(Value.of(17_000_000_000_000_001L), view.members().get(ItemView.TICKS));
    assertFalse(view.members().containsKey(ItemView.TICKS));
    assertFalse(new String(Json.write(view), StandardCharsets.UTF_8).contains(ItemView.TICKS));
    var own = new StoredItem(5, Body.json("{\"id\":\"a\",\"$ticks\":\"own\"}"), 9, 1, 17L);
    assertEquals(Value.of("own"), ItemView.of(own, CONTAINER).members().get(ItemView.TICKS));
  }

  @Test
  void systemPropertiesFollowWhatTheClientWrote() {
    var item =
        new StoredItem(
            5, Body.json("{\"id\":\"a\",\"n\":[1,{\"_ts\":2}]}"), 9, 1, 17_000_000_000_000_000L);
    String rid = ResourceId.item(CONTAINER, 5);
    String self = "dbs/" + ResourceId.databaseOf(CONTAINER) + "/colls/" + CONTAINER;
    Value.Obj view = ItemView.of(item, CONTAINER);
    String text = new String(Json.write(view), StandardCharsets.UTF_8);
    assertEquals(
        "{\"id\":\"a\",\"n\":[1,{\"_ts\":2}],\"_rid\":\""
            + (rid + "\",\"_self\":\"" + self + "/docs/" + rid + "/\",\"_etag\":\"")
            + item.etag().text().replace("\"", "\\\"")
            + ("\",\"_attachments\":\"attachments/\",\"_ts\":" + item.timestampSeconds() + "}"),
        text);
    Value parsed = Json.parse(text);
    assertEquals(parsed, view);
    assertEquals(view, parsed);
    assertEquals(parsed.hashCode(), view.hashCode());
    ((Value.Obj) parsed)
        .members()
        .forEach((name, value) -> assertEquals(value, view.members().get(name)));
    assertEquals(
        List.of("id", "n", "_rid", "_self", "_etag", "_attachments", "_ts"),
        new ArrayList<>(view.members().keySet()));
  }

  @Test
  void namesAreComparedInOrder() {
    var item = new StoredItem(5, Body.json("{\"id\":\"a\",\"n\":{\"x\":1}}"), 9, 1, 17L);
    Value.Obj view = ItemView.of(item, CONTAINER);
    List<String> names = List.copyOf(view.members().keySet());
    assertTrue(RawJson.isNamed(view, names));
    assertFalse(RawJson.isNamed(view, names.subList(0, 6)));
    assertFalse(RawJson.isNamed(view, names.subList(1, 7)));
    assertFalse(RawJson.isNamed(view, names.reversed()));
    assertFalse(RawJson.isNamed(view, List.of("id", "n")));
    Value.Obj content = RawJson.object(item.body().bytes().array());
    assertTrue(RawJson.isNamed(content, List.of("id", "n")));
    for (var other : List.of(List.of("n", "id"), List.of("id"), names, List.<String>of())) {
      assertFalse(RawJson.isNamed(content, other), other.toString());
    }
    var made = (Value.Obj) Json.parse(item.body().bytes().utf8());
    assertTrue(RawJson.isNamed(made, List.of("id", "n")));
    assertFalse(RawJson.isNamed(made, List.of("n", "id")));
  }
}
