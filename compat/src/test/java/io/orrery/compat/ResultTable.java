package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps how each suite ended in a run with {@code -Dcompat.engine}, as a table in {@code
 * compat/target}, with the reasons of what was skipped.
 */
public final class ResultTable implements TestExecutionListener {
  private static final String ENGINE = System.getProperty("compat.engine", "");
  private static final Path FILE = OrreryProcess.ROOT.resolve("compat/target/result-table.txt");
  private static final String NOBODY = "-";
  private static final Map<String, Tally> SUITES = new TreeMap<>();

  private final Map<String, Long> begun = new ConcurrentHashMap<>();

  /** What is counted of a suite; surefire runs each of them as a plan of its own. */
  private static final class Tally {
    private int passed;
    private int failed;
    private int skipped;
    private long nanos;
    private final Set<String> remarks = new TreeSet<>();

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
    skipped(identifier, reason);
  }

  private static void skipped(TestIdentifier identifier, String reason) {
    synchronized (SUITES) {
      Tally tally = tally(suiteOf(identifier));
      tally.skipped++;
      tally.remarks.add("skipped " + identifier.getDisplayName() + ": " + reason);
    }
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    Long from = begun.remove(identifier.getUniqueId());
    synchronized (SUITES) {
      Tally tally = tally(suiteOf(identifier));
      if (isSuite(identifier) && from != null) {
        tally.nanos += System.nanoTime() - from;
      }
      switch (result.getStatus()) {
        case SUCCESSFUL -> tally.passed += identifier.isTest() ? 1 : 0;
        case FAILED -> {
          tally.failed++;
          tally.remarks.add("failed " + identifier.getDisplayName());
        }
        case ABORTED ->
            skipped(identifier, result.getThrowable().map(Throwable::getMessage).orElse(""));
      }
    }
  }

  /** A class at the top, not one of its parameters. */
  private static boolean isSuite(TestIdentifier identifier) {
    return identifier.getUniqueIdObject().getSegments().size() == 2;
  }

  private static String suiteOf(TestIdentifier identifier) {
    var segments = identifier.getUniqueIdObject().getSegments();
    if (segments.size() < 2) {
      return NOBODY;
    }
    String name = segments.get(1).getValue();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static Tally tally(String suite) {
    return SUITES.computeIfAbsent(suite, absent -> new Tally());
  }

  /** Written anew each time: a run that is stopped leaves what it knew. */
  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (ENGINE.isEmpty()) {
      return;
    }
    try {
      Files.createDirectories(FILE.getParent());
      Files.write(FILE, lines());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(ENGINE + ", nodes per server: " + ServerStorage.nodesMost());
    lines.add(
        String.format("%-32s %6s %6s %7s %10s", "suite", "passed", "failed", "skipped", "time"));
    var all = new Tally();
    synchronized (SUITES) {
      SUITES.remove(NOBODY);
      SUITES.forEach(
          (suite, tally) -> {
            lines.add(tally.line(suite));
            tally.remarks.forEach(remark -> lines.add("  " + remark));
            all.passed += tally.passed;
            all.failed += tally.failed;
            all.skipped += tally.skipped;
            all.nanos += tally.nanos;
          });
    }
    lines.add(all.line("all"));
    return lines;
  }
}
