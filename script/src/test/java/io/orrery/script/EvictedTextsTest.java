package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Texts that a process no longer keeps do not fill its heap. */
class EvictedTextsTest {
  /** Each takes a tenth of the heap when it is parsed. */
  private static final String DENSE = "class{},".repeat(3_000);

  private final ScriptHost host =
      new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofSeconds(60)).with(1, 64L << 20));

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void aProcessOutlivesManyLargeTexts() {
    assertEquals("0", run(text(0)));
    // Those of other tests may be about to end.
    Set<Long> first = processes();
    for (int i = 1; i < 30; i++) {
      assertEquals(Integer.toString(i), run(text(i)));
      assertTrue(first.containsAll(processes()), "a process was replaced");
    }
  }

  private static Set<Long> processes() {
    return ProcessHandle.current()
        .children()
        .map(ProcessHandle::pid)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String text(int answer) {
    return """
    function f() {
      for (let i = 0; i < 200000; i++) { ({ text: 'x' + i }); }
      const never = () => [%s];
      getContext().getResponse().setBody(%d);
    }
    """
        .formatted(DENSE, answer);
  }

  private String run(String body) {
    var text = new ScriptText("s", body);
    return String.valueOf(
        host.inTurn(() -> host.run(text, HeldDocuments.CALL, new HeldDocuments())).body());
  }
}
