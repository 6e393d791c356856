package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
