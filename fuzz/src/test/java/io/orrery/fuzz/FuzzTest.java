package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Fuzzes every target for a moment, two at a time; {@code -Dfuzz.seconds=N} gives each more. One
 * seed, so that a change fails by what it changed; {@code ./orrery fuzz} takes another each time.
 */
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 15);

  @Test
  void nothingIsFound() {
    var arguments = List.of("--seconds", "" + SECONDS, "--jobs", "2", "--seed", "1");
    var told = new ByteArrayOutputStream();
    var out = new PrintStream(told, true, StandardCharsets.UTF_8);
    int exit = new CommandLine(new Fuzz(out)).execute(arguments.toArray(String[]::new));
    System.out.println(told.toString(StandardCharsets.UTF_8));
    assertEquals(0, exit, () -> told.toString(StandardCharsets.UTF_8));
  }
}
