package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void numbersKeepWhatAClientMayRelyOn() {
    assertEquals(
        "[9007199254740993,-9223372036854775808]",
        again("[9007199254740993, -9223372036854775808]"));
    assertEquals("[1,0,100,0.5]", again("[1.0, -0.0, 1e2, 5e-1]"));
    assertEquals("[1.8446744073709552E19]", again("[18446744073709551616]"));
  }

  @Test
  void membersKeepTheirOrder() {
    assertEquals(
        "{\"z\":1,\"a\":{\"y\":null,\"b\":[true,false]}}",
        again(" {\"z\" : 1, \"a\": {\"y\":null, \"b\":[true, false]}} "));
  }

  @Test
  void whatIsNotOneProperValueIsRefused() {
    for (String text :
        new String[] {
          "",
          " ",
          "{",
          "{\"a\":1,}",
          "{\"a\":1}{",
          "[1 2]",
          "nul",
          "NaN",
          "1e400",
          "-1e999",
          "{\"a\":1,\"a\":2}",
          "\"\\ud800\"",
          "{\"\\udc00\":1}",
          "01",
          "+1",
          "{a:1}",
          "'a'",
          "[".repeat(129) + "]".repeat(129)
        }) {
      assertThrows(MalformedBody.class, () -> Json.parse(text), text);
    }
  }

  @Test
  void otherEncodingsAndBrokenUtf8AreRefused() {
    assertThrows(
        MalformedBody.class, () -> Json.parse("{\"a\":1}".getBytes(StandardCharsets.UTF_16)));
    assertThrows(
        MalformedBody.class, () -> Json.parse("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)));
    assertThrows(MalformedBody.class, () -> Json.parse(new byte[] {'"', (byte) 0xC3, '"'}));
    assertThrows(MalformedBody.class, () -> Json.parse(new byte[] {'"', (byte) 0xFF, '"'}));
    assertThrows(
        MalformedBody.class,
        () -> Json.parse(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}));
  }

  @Test
  void nestingUpToTheLimitIsFine() {
    String deepest = "[".repeat(128) + "]".repeat(128);
    assertEquals(deepest, again(deepest));
  }

  private static String again(String text) {
    return new String(Json.write(Json.parse(text)), StandardCharsets.UTF_8);
  }
}
