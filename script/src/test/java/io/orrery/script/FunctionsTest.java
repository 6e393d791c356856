package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionsTest {
  private static final ScriptHost HOST =
      new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofSeconds(3)));

  private static final String ITEM =
      "{\"id\":\"i\",\"10\":\"ten\",\"2\":\"two\",\"price\":4.25,\"quantity\":3,\"tags\":[\"a\",{\"b\":\"b\",\"__proto__\":1}],"
          + "\"address\":{\"city\":\"C\",\"3\":[[],{}]},\"nothing\":null,\"truth\":true,\"big\":12345678901,"
          + "\"minus\":-0.0,\"large\":1.5E300,\"text\":\"ä\\u0000😀\"}";

  @AfterAll
  static void close() {
    HOST.close();
  }

  /** Objects that were made in memory and such that still are text must not be told apart. */
  private static Value call(String body, String... arguments) {
    Value ofText = call(body, arguments, text -> RawJson.of(text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(text(call(body, arguments, Json::parse)), text(ofText), body);
    return ofText;
  }

  private static Value call(String body, String[] arguments, Function<String, Value> reading) {
    List<Value> given =
        Arrays.stream(arguments)
            .map(text -> text.isEmpty() ? Value.UNDEFINED : reading.apply(text))
            .toList();
    return HOST.functions(
            name -> name.equals("f") ? new ScriptText(name, body) : null, CallBudget.UNBOUNDED)
        .call("f", given);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "o => Object.keys(o)",
        "o => { const k = []; for (const n in o) k.push(n); return k; }",
        "o => Object.entries({...o})",
        "o => { const {price, ...rest} = o; return [price, rest]; }",
        "o => Object.assign({z: 1}, o)",
        "o => [JSON.stringify(o), JSON.stringify(o, ['id', 'tags']), JSON.stringify(o, null, 1)]",
        "o => Object.getOwnPropertyDescriptors(o)",
        "o => Reflect.ownKeys(o).map(String)",
        "o => ['id' in o, 'no' in o, o.hasOwnProperty('price'), Object.hasOwn(o, 'no'), o.no]",
        "o => [o.toString(), o.constructor === Object, Object.getPrototypeOf(o) ==="
            + " Object.prototype]",
        "o => [o.tags === o.tags, o.address === o.address, Array.isArray(o.tags), o.tags.length]",
        "o => { o.tags.push('c'); o.address.city = 'x'; o.tags.sort().reverse(); return o; }",
        "o => { const {tags} = {...o}; tags.push(1); return [o.tags, tags === o.tags]; }",
        "o => { let s = 0; for (let i = 0; i < 10; i++) s += o.price; return s; }",
        "o => { o.price++; o.price += 2; o['quan' + 'tity'] = 'q'; return [o.price, o]; }",
        "o => { delete o.price; const gone = o.price; o.price = 1; return [gone, Object.keys(o)];"
            + " }",
        "o => { o.price; delete o.price; return [o.price, Object.keys(o), 'price' in o]; }",
        "o => { 'use strict'; Object.freeze(o); try { o.price = 1; } catch (e) { return [e"
            + " instanceof TypeError, o.price, o.tags, o.tags === o.tags, Object.isFrozen(o)]; } }",
        "o => { Object.seal(o); o.price = 2; o.more = 3; delete o.id; return [o,"
            + " Object.isSealed(o)]; }",
        "o => { Object.preventExtensions(o); o.more = 3; return [o.tags, o.tags === o.tags, o]; }",
        "o => { const p = Object.create(o); p.price = 3; return [p.id, p.tags === o.tags, p, o]; }",
        "o => { Object.setPrototypeOf(o, {inherited: 1}); return [o.inherited, o.id, o]; }",
        "o => { Object.defineProperty(o, 'id', {value: 9, enumerable: false}); return [o.id, o]; }",
        "o => { Object.defineProperty(o, 'id', {enumerable: false}); return [o.id, o.id, o]; }",
        "o => { Object.defineProperty(o, 'id', {get() { return 'got'; }}); return [o.id, o]; }",
        "o => { Object.defineProperty(o, 'id', {writable: false}); o.id = 1; return [o.id, o]; }",
        "o => { o.__proto__ = {a: 1}; return [o.a, o]; }",
        "o => [o['__proto__'] === Object.prototype, o['10'], o[10], o[2], o['2']]",
        "o => { const m = new Map([[o, 1]]); const w = new WeakSet([o]); return [m.get(o),"
            + " w.has(o)]; }",
        "o => { const t = o; class P extends Object {} ; return [t === o, o instanceof P]; }",
        "o => { const p = new Proxy(o, {get: (t, k) => k === 'id' ? 'x' : t[k]}); return [p.id, p];"
            + " }",
        "o => [o.nothing, o.truth, o.big, o.minus, 1 / o.minus, o.large, typeof o.big, o.text]",
        "o => [1, 2, 3].map(n => n * o.quantity).concat(o.tags)",
        "o => Object.fromEntries(Object.entries(o).filter(([k, v]) => typeof v === 'number'))",
        "o => { o.self = o; delete o.self; return o; }",
        "o => [`${o.id}`, o.price + '', -o.price, !o.nothing, o.id < 'z', [...o.id].length]",
      })
  void itemsAreObjectsLikeAnyOther(String body) {
    var _ = call(body, ITEM);
  }

  @Test
  void whatFunctionsSayOfAnItemIsRight() {
    gives("[4.25,3]", "o => [o.price, o.quantity]", ITEM);
    gives("[[\"2\",\"10\",\"id\"]]", "o => [Object.keys(o).slice(0, 3)]", ITEM);
    gives("[\"object\",\"b\",\"C\"]", "o => [typeof o, o.tags[1].b, o.address.city]", ITEM);
    String many =
        IntStream.range(0, 100)
            .mapToObj(i -> "\"m" + i + "\":" + i)
            .collect(Collectors.joining(",", "{", "}"));
    gives("[99,100]", "o => [o.m99, Object.keys(o).length]", many);
    gives("6000", "o => o.t.length", "{\"t\":\"" + "x".repeat(6_000) + "\"}");
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
    ScriptRefused unknown =
        assertThrows(
            ScriptRefused.class,
            () -> HOST.functions(name -> null, CallBudget.UNBOUNDED).call("none", List.of()));
    assertTrue(unknown.text().contains("'none' does not exist"), unknown.text());
    assertThrows(ScriptRefused.class, () -> call("() => getContext()"));
    assertThrows(ScriptRefused.class, () -> call("() => '\\ud800'"));
  }

  @Test
  void resultsThatExceedAFrameTogetherAreAllGiven() {
    var functions =
        HOST.functions(
            name -> new ScriptText(name, "x => '\u20ac'.repeat(4000000) + x"),
            CallBudget.UNBOUNDED);
    List<Value> items = IntStream.range(0, 50).<Value>mapToObj(i -> Value.of("i" + i)).toList();
    long chars =
        functions.inTurn(
            () -> {
              functions.ahead(items, item -> functions.call("f", List.of(item)));
              long sum = 0;
              for (Value item : items) {
                functions.begin(item);
                sum += ((Value.Text) functions.call("f", List.of(item))).value().length();
              }
              return sum;
            });
    assertEquals(50L * 4_000_000 + 10 * 2 + 40 * 3, chars);
  }

  @Test
  void whatIsTooLargeIsRefusedAndTheProcessGoesOn() {
    var functions =
        HOST.functions(
            name ->
                new ScriptText(name, name.equals("text") ? "n => 'x'.repeat(n)" : "x => x.length"),
            CallBudget.UNBOUNDED);
    Value huge = Value.of("x".repeat(40 << 20));
    functions.inTurn(
        () -> {
          for (var call : Map.of("text", Value.of((4 << 20) + 1), "length", huge).entrySet()) {
            ScriptRefused refused =
                assertThrows(
                    ScriptRefused.class,
                    () -> functions.call(call.getKey(), List.of(call.getValue())));
            assertEquals(ScriptRefused.Reason.TOO_LARGE, refused.reason(), refused.text());
          }
          // Its text was not sent with the call that was not.
          Value length = functions.call("length", List.of(Value.of("abc")));
          assertEquals(Value.of(3), length);
          return length;
        });
  }

  /** Which of the calls that travel together it is cannot be known before they are made alone. */
  @Test
  void functionThatEndsItsProcessIsRefusedWhereTheQueryComesToIt() {
    // Where the machine is busy it takes its time until the memory is full.
    try (var patient = new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofMinutes(1)))) {
      functionThatEndsItsProcessIsRefusedWhereTheQueryComesToIt(patient);
    }
  }

  private static void functionThatEndsItsProcessIsRefusedWhereTheQueryComesToIt(ScriptHost host) {
    String greedy =
        "x => { if (x === 'i7') { const b = new Array(1e7).fill(0);"
            + " b.concat(...Array(200).fill(b)); } return x; }";
    var functions = host.functions(name -> new ScriptText(name, greedy), CallBudget.UNBOUNDED);
    List<Value> items = IntStream.range(0, 10).<Value>mapToObj(i -> Value.of("i" + i)).toList();
    var given = new ArrayList<Value>();
    ScriptRefused refused =
        assertThrows(
            ScriptRefused.class,
            () ->
                functions.inTurn(
                    () -> {
                      given.clear();
                      functions.ahead(items, item -> functions.call("f", List.of(item)));
                      for (Value item : items) {
                        functions.begin(item);
                        given.add(functions.call("f", List.of(item)));
                      }
                      return true;
                    }));
    assertEquals(ScriptRefused.Reason.TOO_LARGE, refused.reason(), refused.text());
    assertEquals(items.subList(0, 7), given);
  }

  @Test
  void manyThreadsCallTheSameFunction() {
    // Threads wait for a process four times as long as a script may run: here none is refused.
    try (var patient = new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofMinutes(1)))) {
      manyThreadsCallTheSameFunction(patient);
    }
  }

  private static void manyThreadsCallTheSameFunction(ScriptHost host) {
    var functions =
        host.functions(name -> new ScriptText(name, "(a, b) => a * b"), CallBudget.UNBOUNDED);
    List<Integer> sums =
        List.of(1, 2, 3, 4, 5, 6).parallelStream()
            .map(
                i ->
                    functions.inTurn(
                        () -> {
                          int sum = 0;
                          for (int k = 0; k < 1_000; k++) {
                            Value product = functions.call("f", List.of(Value.of(k), Value.of(i)));
                            sum += (int) ((Value.Num) product).asDouble();
                          }
                          return sum;
                        }))
            .toList();
    assertEquals(List.of(499500, 999000, 1498500, 1998000, 2497500, 2997000), sums);
  }
}
