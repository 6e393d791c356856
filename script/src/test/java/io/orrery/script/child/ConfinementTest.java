package io.orrery.script.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Code that runs in a confined process reaches nothing but what the JVM needs. */
@EnabledOnOs(OS.LINUX)
class ConfinementTest {
  /** What a process ends with whose kernel was built without calls of 32 bits. */
  private static final int ABORTED = 128 + 6;

  @Test
  void callsThatReachOutAreRefusedAndTheJvmGoesOn(@TempDir Path folder) throws Exception {
    assumeTrue(SystemCall.Machine.current() != null);
    Path there = Files.writeString(folder.resolve("there"), "there");
    Process process = start(folder.toString());
    assertEquals("done", printed(process));
    assertEquals(0, process.waitFor());
    assertEquals("there", Files.readString(there));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(there), files.toList());
    }
  }

  @Test
  void callsByTheNumbersOfAnotherMachineAreRefused() throws Exception {
    assumeTrue(SystemCall.Machine.current() == SystemCall.Machine.AMD64);
    Process process = start();
    String printed = printed(process);
    assumeTrue(process.waitFor() != ABORTED, "the kernel has no calls of 32 bits");
    assertEquals("done", printed);
  }

  private static String printed(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private static Process start(String... arguments) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ConfinedCalls.class.getName()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }
}
