package io.orrery.compat;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints how each suite ended, at the end of a run with {@code -Dcompat.engine}. */
public final class ResultTable implements TestExecutionListener {
  private static final String ENGINE = System.getProperty("compat.engine", "");

  private final Map<String, Tally> suites = new TreeMap<>();
  private final Map<String, Long> begun = new ConcurrentHashMap<>();

  /** What is counted of a suite; surefire runs each of them as a plan of its own. */
  private static final class Tally {
    private int passed;
    private int failed;
    private int skipped;
    private long nanos;

    private String line(String suite) {
      return String.format(
          Locale.ROOT,
          "%-32s %6d %6d %7d %8.1f s",
          suite,
          passed,
          failed,
          skipped,
          Duration.ofNanos(nanos).toMillis() / 1_000.0);
    }
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    begun.put(identifier.getUniqueId(), System.nanoTime());
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    tally(identifier).skipped++;
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    Long from = begun.remove(identifier.getUniqueId());
    if (isSuite(identifier) && from != null) {
      tally(identifier).nanos += System.nanoTime() - from;
    }
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (identifier.isTest()) {
          tally(identifier).passed++;
        }
      }
      case FAILED -> tally(identifier).failed++;
      case ABORTED -> tally(identifier).skipped++;
    }
  }

  /** A class at the top, not one of its parameters. */
  private static boolean isSuite(TestIdentifier identifier) {
    return identifier.getUniqueIdObject().getSegments().size() == 2;
  }

  private synchronized Tally tally(TestIdentifier identifier) {
    String[] segments =
        identifier.getUniqueIdObject().getSegments().size() < 2
            ? new String[] {"-"}
            : identifier.getUniqueIdObject().getSegments().get(1).getValue().split("\\.", -1);
    return suites.computeIfAbsent(segments[segments.length - 1], absent -> new Tally());
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (ENGINE.isEmpty() || suites.isEmpty()) {
      return;
    }
    System.out.printf("%-32s %6s %6s %7s %10s%n", "suite", "passed", "failed", "skipped", "time");
    suites.forEach((suite, tally) -> System.out.println(tally.line(suite)));
    suites.clear();
  }
}
