package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.script.channel.ChildLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server holds a process to its bounds, whatever the process says. */
class TakenOverProcessTest {
  private static final ScriptSettings SETTINGS =
      ScriptSettings.DEFAULT.within(Duration.ofMillis(100));

  @Test
  void aProcessThatAsksWithoutEndIsEnded() throws IOException {
    long began = System.nanoTime();
    var documents =
        new HeldDocuments() {
          @Override
          public Reply perform(Step step) {
            assertTrue(
                System.nanoTime() - began < TimeUnit.SECONDS.toNanos(60), "it was never ended");
            return super.perform(step);
          }
        };
    ScriptRefused refused = assertThrows(ScriptRefused.class, () -> run("asks", documents));
    assertEquals(ScriptRefused.Reason.TIMED_OUT, refused.reason(), refused.text());
  }

  @Test
  void anAnswerOrLogBeyondTheirBoundsEndTheProcess() {
    for (String kind : new String[] {"talks", "logs"}) {
      assertThrows(ProcessEnded.class, () -> run(kind, new HeldDocuments()), kind);
    }
  }

  @Test
  void reasonsAndLogsOfFailuresAreCut() {
    ScriptRefused refused =
        assertThrows(ScriptRefused.class, () -> run("complains", new HeldDocuments()));
    assertEquals(ChildLimits.TEXT_UNITS_MAX, refused.text().length());
    assertEquals(ChildLimits.LOG_UNITS_MAX, refused.log().length());
  }

  /** The host runs the script again, in another process. */
  @Test
  void aProcessThatEarlierScriptsFilledIsNotTheScriptsFault() {
    ProcessEnded ended = assertThrows(ProcessEnded.class, () -> run("full", new HeldDocuments()));
    assertTrue(String.valueOf(ended.getMessage()).contains("earlier scripts"), ended::getMessage);
  }

  private static ScriptAnswer run(String kind, Documents documents) throws IOException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TakenOverChild.class.getName(),
                kind)
            .start();
    try (ScriptProcess process = ScriptProcess.over(SETTINGS, child)) {
      process.awaitReady();
      var turn = new Turn(process, System.nanoTime(), () -> false, false);
      turn.begin();
      try {
        return turn.run(new ScriptText("s", "() => 1"), HeldDocuments.CALL, documents);
      } finally {
        turn.end();
        assertEquals(turn.isMidway(), !process.isAlive());
        assertFalse(kind.equals("asks") && process.isAlive());
      }
    }
  }
}
