package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "aarch64"})
class ThreadPriorityTest {
  /** The 19th word of its line; the name before may hold anything but ends with a bracket. */
  static int niceness() throws Exception {
    String line = Files.readString(Path.of("/proc/thread-self/stat"));
    return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[16]);
  }

  @Test
  void aThreadThatStepsBackDoesSoAlone() throws Exception {
    var other =
        new FutureTask<>(
            () -> {
              ThreadPriority.stepBack();
              return niceness();
            });
    int before = niceness();
    Thread.ofPlatform().start(other).join();
    assertEquals(10, other.get());
    assertEquals(before, niceness());
  }
}
