package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.orrery.http.AsciiOut;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ResourceId;
import io.orrery.operation.StoredItem;
import io.orrery.value.ItemView;
import io.orrery.value.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SystemPropertiesTest {

  @Test
  void queriesSeeItemsAsReadsAnswerThem() {
    String rid = ResourceId.container(7, 3);
    var item =
        new StoredItem((5L << 40) + 77, Body.json("{\"id\":\"a\"}"), 1L << 33, 4, 17_000_000_000L);
    var out = new AsciiOut();
    SystemProperties.putTail(
        out, new OwnerNames(new Answer.Owner("dbs/d/colls/c", rid)), item, item.etag().text());
    ByteBuf tail = Unpooled.buffer();
    out.writeTo(tail);
    assertEquals(
        "{\"id\":\"a\"" + tail.toString(StandardCharsets.UTF_8),
        new String(Json.write(ItemView.of(item, rid)), StandardCharsets.UTF_8));
  }
}
