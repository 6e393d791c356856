package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKeyDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShortestFormTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);

  @Test
  void plainItemsAreShortest() {
    for (String text :
        List.of(
            "{}",
            "[1,-2,0,123456789012345678]",
            "[0.5,-0.001,99.25,1234567.5,0.123456789012345,9999999.00000001]",
            "{\"a\":\"b\\n\\\"\\\\\\t\",\"c\":[true,false,null,{\"d\":\"ä€😀\"}]}")) {
      assertTrue(ShortestForm.is(utf8(text)), text);
    }
  }

  @Test
  void otherFormsAreNot() {
    for (String text :
        List.of(
            "{ }",
            "[1, 2]",
            "[1]\n",
            "[-0]",
            "[1.0]",
            "[1.50]",
            "[1e3]",
            "[1.5E1]",
            "[0.0001]",
            "[12345678.5]",
            "[1234567890123456789]",
            "[0.1234567890123456]",
            "[\"\\/\"]",
            "[\"\\u0041\"]",
            "[-0.0]",
            "\uFEFF{}")) {
      assertFalse(ShortestForm.is(utf8(text)), text);
    }
  }

  @Test
  void whatIsSaidToBeShortestIsWrittenTheSame() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    int shortest = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] text = utf8("[" + number(random) + ",\"" + letters(random) + "\"]");
      if (ShortestForm.is(text)) {
        shortest++;
        byte[] written = Json.write(Json.parse(text));
        assertArrayEquals(
            text, written, () -> "seed " + seed + ": " + new String(text, StandardCharsets.UTF_8));
      }
    }
    assertTrue(shortest > 20_000, "only " + shortest);
  }

  @Test
  void itemInShortestFormIsKeptAsItCame() {
    Body body = Body.json(utf8("{\"id\":\"1\",\"pk\":\"x\",\"n\":1.5}"));
    assertSame(body.bytes(), ItemBody.of(body, KEY).body().bytes());
  }

  @Test
  void otherItemsAreRewritten() {
    for (String text :
        List.of(
            "{\"id\":\"1\", \"n\":1.50}", "{\"id\":\"1\",\"n\":1.5,\"_ts\":7,\"_rid\":\"x\"}")) {
      byte[] stored = ItemBody.of(Body.json(utf8(text)), KEY).body().bytes().array();
      assertEquals("{\"id\":\"1\",\"n\":1.5}", new String(stored, StandardCharsets.UTF_8));
    }
  }

  private static String number(Random random) {
    String digits = Long.toString(random.nextLong(1L << random.nextInt(1, 63)));
    return switch (random.nextInt(5)) {
      case 0 -> (random.nextBoolean() ? "-" : "") + digits;
      case 1 -> Double.toString(random.nextDouble() * Math.pow(10, random.nextInt(-6, 9)));
      case 2 -> random.nextInt(1 << random.nextInt(1, 28)) + "." + digits;
      case 3 -> "-0." + "0".repeat(random.nextInt(5)) + digits;
      default -> Math.round(random.nextDouble() * 1e6) / 100.0 + "";
    };
  }

  private static String letters(Random random) {
    String[] pieces = {"a", "\\n", "\\\"", "\\\\", "\\/", "\\u0001", "ß", "€", " "};
    return pieces[random.nextInt(random.nextInt(4) == 0 ? pieces.length : 4)] + "z";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
