package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class FunctionsTest {
  private static final ScriptHost HOST =
      new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofMillis(500)));

  @AfterAll
  static void close() {
    HOST.close();
  }

  private static Value call(String body, String... arguments) {
    List<Value> given =
        Arrays.stream(arguments)
            .map(text -> text.isEmpty() ? Value.UNDEFINED : Json.parse(text))
            .toList();
    try (var functions =
        HOST.functions(name -> name.equals("f") ? new ScriptText(name, body) : null)) {
      return functions.call("f", given);
    }
  }

  private static String text(Value value) {
    return value instanceof Value.Undefined
        ? "undefined"
        : new String(Json.write(value), StandardCharsets.UTF_8);
  }

  private static void gives(String expected, String body, String... arguments) {
    assertEquals(expected, text(call(body, arguments)), body);
  }

  @Test
  void valuesOfEveryTypeGoInAndComeOut() {
    for (String json :
        List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5",
            "1.0E300",
            "\"ä\\u0000😀\"",
            "[]",
            "{}",
            "[1,[null,\"x\"],{\"a\":[true]}]",
            "{\"b\":1,\"a\":{\"c\":null}}")) {
      gives(json, "x => x", json);
    }
    gives("9007199254740993".replace("3", "2"), "x => x", "9007199254740993");
    gives("undefined", "x => x", "");
    gives("undefined", "x => { }");
    gives("undefined", "x => () => 1");
    gives("undefined", "x => 0 / 0");
    gives("\"undefined\"", "x => typeof x", "");
    gives("\"1970-01-01T00:00:00.000Z\"", "() => new Date(0)");
    gives(
        "[\"object\",true,3,\"a\",\"{\\\"a\\\":1}\"]",
        "(o, a) => [typeof o, Array.isArray(a), a.map(x => x)[2], Object.keys(o)[0],"
            + " JSON.stringify(o)]",
        "{\"a\":1}",
        "[1,2,3]");
  }

  @Test
  void anObjectIsTheScriptsOwnToChange() {
    gives(
        "{\"a\":2,\"b\":1}",
        "o => { o.a = 2; o.b = 1; delete o.c; return o; }",
        "{\"a\":1,\"c\":1}");
    gives("[1,2]", "a => { a.push(2); return a; }", "[1]");
    gives("[true,true]", "o => [o.a === o.a, o instanceof Object]", "{\"a\":{}}");
    gives("{\"x\":1,\"y\":2}", "o => ({...o, y: 2})", "{\"x\":1}");
  }

  @Test
  void oneQuerysGlobalsAreNotAnothers() {
    String counting = "() => { globalThis.n = (globalThis.n || 0) + 1; return globalThis.n; }";
    gives("1", counting);
    gives("1", counting);
  }

  @Test
  void whatFailsIsRefusedWithAReason() {
    ScriptRefused thrown = assertThrows(ScriptRefused.class, () -> call("() => { null.x; }"));
    assertTrue(thrown.text().contains("TypeError"), thrown.text());
    ScriptRefused endless = assertThrows(ScriptRefused.class, () -> call("() => { for(;;); }"));
    assertEquals(ScriptRefused.Reason.TIMED_OUT, endless.reason());
    try (var functions = HOST.functions(name -> null)) {
      ScriptRefused unknown =
          assertThrows(ScriptRefused.class, () -> functions.call("none", List.of()));
      assertTrue(unknown.text().contains("'none' does not exist"), unknown.text());
    }
    assertThrows(ScriptRefused.class, () -> call("() => getContext()"));
    assertThrows(ScriptRefused.class, () -> call("() => '\\ud800'"));
  }

  @Test
  void manyThreadsCallTheSameFunction() {
    try (var functions = HOST.functions(name -> new ScriptText(name, "(a, b) => a * b"))) {
      List<Integer> sums =
          List.of(1, 2, 3, 4, 5, 6).parallelStream()
              .map(
                  i ->
                      functions.inTurn(
                          () -> {
                            int sum = 0;
                            for (int k = 0; k < 1_000; k++) {
                              Value product =
                                  functions.call("f", List.of(Value.of(k), Value.of(i)));
                              sum += (int) ((Value.Num) product).asDouble();
                            }
                            return sum;
                          }))
              .toList();
      assertEquals(List.of(499500, 999000, 1498500, 1998000, 2497500, 2997000), sums);
    }
  }
}
