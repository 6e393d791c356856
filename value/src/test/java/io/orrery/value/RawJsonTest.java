package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RawJsonTest {

  @Test
  void textThatCannotStayTextIsRefused() {
    for (String text : List.of("[1]", "{\"a b\":[\"\\\" \",-1.5e3]}", "7", "\" \"")) {
      assertEquals(
          Json.parse(text), Json.parseWritten(text.getBytes(StandardCharsets.UTF_8)), text);
    }
    for (String text : List.of("[ 1]", "[1 ]", "{\"a\" :1}", " 1", "1\n", "[1e999]", "[]]")) {
      assertThrows(
          MalformedBody.class,
          () -> Json.parseWritten(text.getBytes(StandardCharsets.UTF_8)),
          text);
    }
  }

  @Test
  void levelsAreCountedInTextOnly() {
    String text = "{\"a]\\\"[[[[\":[[],\"[[[[[[[[[[\",{\"b\":[1,[2]]},3],\"x\":0}";
    for (Value value : List.of(raw(text), raw("[" + text + "]"))) {
      int levels = value instanceof Value.Obj ? 5 : 6;
      assertTrue(RawJson.nestsDeeper(value, levels - 1));
      assertFalse(RawJson.nestsDeeper(value, levels));
      assertFalse(RawJson.nestsDeeper(Json.parse(Json.write(value)), levels - 1), "not text");
    }
    Value last = ((Value.Arr) raw("[" + text + ",[[[1]]]]")).items().getLast();
    assertTrue(RawJson.nestsDeeper(last, 2));
    assertFalse(RawJson.nestsDeeper(last, 3));
    assertTrue(RawJson.nestsDeeper(raw("[[]]"), 1));
    assertFalse(RawJson.nestsDeeper(raw("[[]]"), 2));
    assertFalse(RawJson.nestsDeeper(Value.of("[[[["), 1));
  }

  private static Value raw(String text) {
    return RawJson.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void lazyValuesEqualParsedOnesBothWaysAndAreWrittenAsTheyWere() {
    long seed = new Random().nextLong();
    var values = new Values(seed);
    for (int i = 0; i < 3_000; i++) {
      Value made = values.value(5);
      byte[] text = Json.write(made);
      Value parsed = Json.parse(text);
      Value lazy = RawJson.of(text);
      String about = "seed " + seed + ": " + new String(text, StandardCharsets.UTF_8);
      assertEquals(parsed, lazy, about);
      assertEquals(lazy, parsed, about);
      assertEquals(parsed.hashCode(), lazy.hashCode(), about);
      assertArrayEquals(text, Json.write(lazy), about);
      assertArrayEquals(text, Json.write(parsed), about);
      assertArrayEquals(text, Json.write(copy(lazy)), about);
      Value other = values.value(5);
      assertEquals(parsed.equals(other), lazy.equals(other), about);
    }
  }

  @Test
  void everyMemberIsFoundByName() {
    long seed = new Random().nextLong();
    var values = new Values(seed);
    for (int i = 0; i < 1_000; i++) {
      Value.Obj made = values.object(4);
      Value.Obj lazy = RawJson.object(Json.write(made));
      assertEquals(made.members().size(), lazy.members().size());
      made.members()
          .forEach(
              (name, value) -> {
                assertEquals(value, lazy.members().get(name), "seed " + seed);
                assertTrue(lazy.members().containsKey(name));
              });
      assertNull(lazy.members().get("no such name"));
      assertEquals(Value.NULL, lazy.members().getOrDefault("nor this", Value.NULL));
    }
  }

  @Test
  void namesAndTextsWithEscapesAreRead() {
    Value.Obj lazy =
        RawJson.object(
            Json.write(
                Json.parse("{\"a\\\"b\":\"\\\\\",\"\\u0001\":\"\\n\\u001f/\",\"é\":\"𝄞\"}")));
    assertEquals(Value.of("\\"), lazy.members().get("a\"b"));
    assertEquals(Value.of("\n\u001f/"), lazy.members().get("\u0001"));
    assertEquals(Value.of("𝄞"), lazy.members().get("é"));
    assertNull(lazy.members().get("a"));
    assertNull(lazy.members().get("e"));
  }

  @Test
  void integersKeepEveryDigit() {
    for (String number :
        new String[] {
          "0",
          "-1",
          "999999999999999999",
          "9007199254740993",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "1.8446744073709552E19",
          "0.1",
          "-1.5E-300"
        }) {
      byte[] text = number.getBytes(StandardCharsets.US_ASCII);
      assertEquals(Json.parse(text), RawJson.of(text), number);
    }
  }

  @Test
  void elementsAreReachedByPositionAndInTurn() {
    var lazy = assertInstanceOf(Value.Arr.class, RawJson.of(Json.write(Json.parse("[[],{},1]"))));
    assertEquals(3, lazy.items().size());
    assertEquals(Value.of(1), lazy.items().get(2));
    assertEquals(List.of(), ((Value.Arr) lazy.items().getFirst()).items());
    assertFalse(lazy.items().isEmpty());
    assertNotEquals(lazy, RawJson.of(Json.write(Json.parse("[[],{}]"))));
  }

  /** The same with every object and array built. */
  private static Value copy(Value value) {
    return switch (value) {
      case Value.Arr(List<Value> items) ->
          new Value.Arr(items.stream().map(RawJsonTest::copy).toList());
      case Value.Obj(Map<String, Value> members) -> {
        var built = new LinkedHashMap<String, Value>();
        members.forEach((name, member) -> built.put(name, copy(member)));
        yield new Value.Obj(built);
      }
      default -> value;
    };
  }

  /** Makes values of every kind. */
  private static final class Values {
    private static final String[] TEXTS = {
      "", "a", "name", "\"", "\\", "\\\"", "é", "日本", "𝄞", "a b", "\n\t\u0000", "{", "]", ",", ":"
    };
    private final Random random;

    Values(long seed) {
      random = new Random(seed);
    }

    Value value(int depth) {
      return switch (random.nextInt(depth > 0 ? 10 : 7)) {
        case 0 -> Value.NULL;
        case 1 -> Value.of(random.nextBoolean());
        case 2 -> Value.of(random.nextLong());
        case 3 -> Value.of((long) random.nextInt(-100, 100));
        case 4 -> Value.of(random.nextGaussian() * Math.pow(10, random.nextInt(-30, 30)));
        case 5, 6 -> Value.of(text());
        case 7 -> {
          List<Value> items = new ArrayList<>();
          for (int i = random.nextInt(5); i > 0; i--) {
            items.add(value(depth - 1));
          }
          yield new Value.Arr(items);
        }
        default -> object(depth - 1);
      };
    }

    Value.Obj object(int depth) {
      var members = new LinkedHashMap<String, Value>();
      for (int i = random.nextInt(6); i > 0; i--) {
        members.put(text(), value(depth));
      }
      return new Value.Obj(members);
    }

    private String text() {
      var text = new StringBuilder();
      for (int i = random.nextInt(4); i > 0; i--) {
        text.append(TEXTS[random.nextInt(TEXTS.length)]);
      }
      return text.toString();
    }
  }
}
