package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scripts that have the same process one after the other do not meet. */
class IsolationTest {
  private static final String MARKS =
      """
      function f() {
        const tag = (parts) => parts;
        const literal = tag`x`;
        const shared = [globalThis, Object.prototype, Array.prototype, Function.prototype, Promise.prototype, JSON,
          Math, Error, Error.prototype, Reflect, getContext, console, __, Object.getPrototypeOf(literal),
          Object.getPrototypeOf(/x/g), Object.getPrototypeOf(function* () {}), (async () => {}).constructor];
        const found = shared.map(one => one.mark === undefined).filter(clean => !clean).length;
        for (const one of shared) { try { one.mark = 1; } catch (frozen) { } }
        new Promise(later => later()).then(() => { globalThis.late = 1; return new Promise(() => {}); });
        console.log('mine');
        getContext().getResponse().setBody([found, globalThis.late === undefined, literal instanceof Array]);
      }
      """;

  private final ScriptHost host =
      new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofSeconds(60)).with(1, 128L << 20));

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void nothingOfAScriptIsLeftForTheNext() {
    for (int round = 0; round < 3; round++) {
      ScriptAnswer answer = run(MARKS);
      assertEquals("[0,true,true]", answer.body(), "round " + round);
      assertEquals("mine", answer.log());
    }
    ScriptRefused failed =
        assertThrows(ScriptRefused.class, () -> run("function f() { throw new Error('x'); }"));
    assertEquals("", failed.log());
  }

  @Test
  void whatFunctionsKeepIsOfTheirQueryAlone() {
    String counts =
        "function f() { globalThis.n = (globalThis.n || 0) + 1;"
            + " Array.prototype.m = ([].m || 0) + 1; return globalThis.n * 10 + [].m; }";
    for (int query = 0; query < 3; query++) {
      var functions = host.functions(name -> new ScriptText(name, counts), CallBudget.UNBOUNDED);
      assertEquals(Value.of(11), functions.call("f", List.of()));
      assertEquals("[0,true,true]", run(MARKS).body());
    }
  }

  private ScriptAnswer run(String body) {
    return host.inTurn(
        () -> host.run(new ScriptText("s", body), HeldDocuments.CALL, new HeldDocuments()));
  }
}
