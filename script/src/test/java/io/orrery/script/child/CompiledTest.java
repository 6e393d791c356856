package io.orrery.script.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.script.ScriptText;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompiledTest {
  private static final int UNITS = 250_000;
  private final Compiled compiled = new Compiled(2L << 30);

  @Test
  void blanksAroundAFunctionTakeNoTime() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          String blanks = " ".repeat(UNITS);
          assertEquals(7, call(blanks + "function f() { return 7; }"));
          assertEquals(7, call("function f() { return 7;" + blanks + "}"));
          assertEquals(7, call("function f() { return 7; }" + ";\n".repeat(UNITS / 2)));
          assertEquals(
              7, call(blanks + "; function f() { return g(); } function g() { return 7; }"));
          assertEquals(
              7, call("/**/;".repeat(UNITS / 5) + "function f() { return g(); } let g = () => 7;"));
        });
  }

  @Test
  void keptTextsAreBoundedByTheirSize() {
    String comment = "/*" + "x".repeat(UNITS) + "*/";
    for (int i = 0; i < 20; i++) {
      assertEquals(i, call("function f() { return " + i + "; }" + comment));
      assertTrue(compiled.keptUnits() <= 1 << 20, () -> compiled.keptUnits() + " units");
    }
    assertTrue(compiled.keptUnits() > UNITS, () -> compiled.keptUnits() + " units");
  }

  /** Dense code takes 280 bytes of the heap for each unit of its text. */
  @Test
  void keptTextsTakeAPartOfTheHeap() {
    var small = new Compiled(64 << 20);
    String dense = "[" + "class{},".repeat(1_000) + "]";
    for (int i = 0; i < 10; i++) {
      try (Realm realm = new Sandbox().open()) {
        var text = new ScriptText("s" + i, "() => " + dense);
        assertTrue(small.function(text, realm).canExecute());
      }
      assertTrue(280L * small.keptUnits() <= (64 << 20) / 4, () -> small.keptUnits() + " units");
    }
    assertTrue(small.keptUnits() > 3 * dense.length(), () -> small.keptUnits() + " units");
  }

  private int call(String body) {
    try (Realm realm = new Sandbox().open()) {
      return compiled.function(new ScriptText("s", body), realm).execute().asInt();
    }
  }
}
