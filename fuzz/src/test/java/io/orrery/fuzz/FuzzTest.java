package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Fuzzes every target for a moment. Two at a time, so that all of them fit into two minutes of two
 * cores; {@code -Dfuzz.seconds=N} gives each more.
 */
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 9);

  @Test
  void nothingIsFound() {
    var told = new ByteArrayOutputStream();
    var out = new PrintStream(told, true, StandardCharsets.UTF_8);
    int exit = new CommandLine(new Fuzz(out)).execute("--seconds", "" + SECONDS, "--jobs", "2");
    assertEquals(0, exit, () -> told.toString(StandardCharsets.UTF_8));
    System.out.println(told.toString(StandardCharsets.UTF_8));
  }
}
