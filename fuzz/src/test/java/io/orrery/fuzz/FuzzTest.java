package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Fuzzes every target for a moment. Two at a time and in another order each time, so that all of
 * them fit into two minutes of two cores, and on a busy machine some; {@code -Dfuzz.seconds=N}
 * gives each more. One seed, so that a change fails by what it changed; {@code ./orrery fuzz} takes
 * another each time.
 */
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 9);
  private static final int STARTS_PER_JOB = 8;
  private static final int START_SECONDS = 4;

  @Test
  void nothingIsFound() {
    int within = STARTS_PER_JOB * (SECONDS + START_SECONDS);
    var arguments = new ArrayList<>(Targets.ALL.stream().map(Targets::name).toList());
    Collections.shuffle(arguments);
    arguments.addAll(List.of("--seconds", "" + SECONDS, "--jobs", "2", "--within", "" + within));
    arguments.addAll(List.of("--seed", "1"));
    var told = new ByteArrayOutputStream();
    var out = new PrintStream(told, true, StandardCharsets.UTF_8);
    int exit = new CommandLine(new Fuzz(out)).execute(arguments.toArray(String[]::new));
    System.out.println(told.toString(StandardCharsets.UTF_8));
    assertEquals(0, exit, () -> told.toString(StandardCharsets.UTF_8));
  }
}
