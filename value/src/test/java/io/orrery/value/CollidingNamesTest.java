package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Property names that were made to collide in a table of names that all clients share. */
class CollidingNamesTest {
  private static final int BODIES = 20;

  /** Names with the same pieces in another order, which that table does not tell apart. */
  private static String body(int number) {
    var text = new StringBuilder("{\"id\":\"1\"");
    for (int order = 0; order < 1 << 16; order++) {
      if (Integer.bitCount(order) == 8 && order % 4 == number % 4) {
        text.append(",\"").append("AaAaAaAaAaAa");
        for (int piece = 0; piece < 16; piece++) {
          text.append((order >> piece & 1) == 0 ? "AaBB" : "BBAa");
        }
        text.append(number).append("\":").append(order);
      }
    }
    return text.append('}').toString();
  }

  @Test
  void textsBesideCollidingNamesAreFoundAndHeldToUtf8() {
    String text = "{\"\u00fc\":[\"\ud83d\ude00\", 1 ]}";
    String array =
        "[{\"a\":\"\u00fc\ud83d\ude00\u20ac\",\"body\":" + text + "},{\"b\":" + body(0) + "},";
    for (String mark : List.of("", "\ufeff")) {
      byte[] bytes = (mark + array + "{\"body\":" + text + "}]").getBytes(StandardCharsets.UTF_8);
      List<MemberTexts.Part> parts = MemberTexts.parse(bytes, "body");
      assertEquals(Body.json(text), parts.getFirst().text());
      assertEquals(Body.json(text), parts.getLast().text());
      bytes[bytes.length - 5] = (byte) 0xFF;
      assertThrows(MalformedBody.class, () -> MemberTexts.parse(bytes, "body"));
    }
  }

  @Test
  void collidingNamesAreReadAndHarmNoOtherBody() throws Exception {
    try (var executor = Executors.newFixedThreadPool(4)) {
      List<Future<?>> clients = new ArrayList<>();
      for (int client = 0; client < 2; client++) {
        int first = client;
        clients.add(executor.submit(() -> readColliding(first)));
        clients.add(executor.submit(() -> readUsual(first)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  private static void readColliding(int client) {
    for (int i = 0; i < BODIES; i++) {
      var value = (Value.Obj) Json.parse(body(2 * i + client));
      assertTrue(value.members().size() > 2_000);
    }
  }

  private static void readUsual(int client) {
    for (int i = 0; i < 10_000; i++) {
      String name = "name" + client + "_" + i;
      var value = (Value.Obj) Json.parse("{\"id\":\"1\",\"" + name + "\":" + i + "}");
      assertEquals(new Value.Int64(i), value.members().get(name));
    }
  }
}
