package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
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
    Set<Long> processes = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      assertEquals(Integer.toString(i), run(text(i)));
      ProcessHandle.current().children().map(ProcessHandle::pid).forEach(processes::add);
    }
    assertEquals(1, processes.size(), "processes");
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
