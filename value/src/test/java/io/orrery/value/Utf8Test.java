package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static final int[] EDGES = {
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
  };

  private static boolean isValidForTheJdk(byte[] text) {
    try {
      var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static void check(byte[] text) {
    assertEquals(isValidForTheJdk(text), Utf8.isValid(text), () -> Arrays.toString(text));
  }

  @Test
  void agreesWithTheDecoderOfTheJdkOnAllShortSequences() {
    for (int a : EDGES) {
      for (int b : EDGES) {
        for (int c : EDGES) {
          for (int d : EDGES) {
            check(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
          }
        }
      }
    }
  }

  @Test
  void agreesWithTheDecoderOfTheJdkAtEveryPlaceOfALongText() {
    var random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = "0123456789abcdefghijklmn".getBytes(StandardCharsets.US_ASCII);
      int at = random.nextInt(text.length);
      for (int n = 0; n < 4 && at + n < text.length; n++) {
        text[at + n] = (byte) EDGES[random.nextInt(EDGES.length)];
      }
      check(text);
    }
  }

  /** Jackson reads longer forms than needed, in names and in strings. */
  @Test
  void namesAndStringsInLongerFormsThanNeededAreRefused() {
    byte[] name = {'{', '"', (byte) 0xC1, (byte) 0x8C, '"', ':', '1', '}'};
    byte[] string = {'"', (byte) 0xC1, (byte) 0x8C, '"'};
    byte[] three = {'"', (byte) 0xE0, (byte) 0x81, (byte) 0x8C, '"'};
    for (byte[] text : new byte[][] {name, string, three}) {
      assertThrows(MalformedBody.class, () -> Json.parse(text));
    }
  }

  @Test
  void storedTextsAreReadWhateverTheyHold() {
    byte[] name = {'{', '"', (byte) 0xC1, (byte) 0x8C, '"', ':', '1', '}'};
    assertEquals(
        "{\"L\":1}", new String(Json.write(Json.parseStored(name)), StandardCharsets.UTF_8));
  }
}
