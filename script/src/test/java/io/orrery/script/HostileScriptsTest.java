package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class HostileScriptsTest {
  private static final Duration TIME = Duration.ofMillis(500);
  private static final ScriptHost HOST = new ScriptHost(ScriptSettings.DEFAULT.within(TIME));

  private record Hostile(String name, String body) {}

  @AfterAll
  static void close() {
    HOST.close();
  }

  private static List<Hostile> scripts() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            HostileScriptsTest.class.getResourceAsStream("hostile-scripts.js"))) {
      String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(all.split("(?m)^// --- "))
          .skip(1)
          .map(text -> text.split("\n", 2))
          .map(parts -> new Hostile(parts[0], parts[1]))
          .toList();
    }
  }

  @Test
  void everyHostileScriptEndsAsARefusal() throws Exception {
    List<Hostile> scripts = scripts();
    assertTrue(scripts.size() > 100, "only " + scripts.size());
    assertEquals("3", harmless());
    List<Future<?>> running = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(2)) {
      scripts.forEach(script -> running.add(threads.submit(() -> run(script))));
    }
    assertAll(running.stream().map(ended -> ended::get));
    assertEquals("3", harmless());
  }

  /** Where the machine is slow and the engine still cold, not even this is done in its time. */
  private static String harmless() {
    while (true) {
      try {
        return run("function f() { getContext().getResponse().setBody(1 + 2); }");
      } catch (ScriptRefused e) {
        assertEquals(ScriptRefused.Reason.TIMED_OUT, e.reason(), e.text());
      }
    }
  }

  /** That the server refuses it shows that it ended; how soon is for `bench hostile`. */
  private static void run(Hostile script) {
    long start = System.nanoTime();
    ScriptRefused refused =
        assertThrows(ScriptRefused.class, () -> run(script.body), () -> script.name);
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (System.getProperty("hostile.show") != null) {
      System.out.printf(
          "%-50s %5d ms %s %s%n",
          script.name, millis, refused.reason(), refused.text().lines().findFirst().orElse(""));
    }
  }

  private static String run(String body) {
    return String.valueOf(
        HOST.inTurn(
                () -> HOST.run(new ScriptText("s", body), HeldDocuments.CALL, new HeldDocuments()))
            .body());
  }
}
