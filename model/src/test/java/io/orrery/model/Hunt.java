package io.orrery.model;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of the model and ends the process at the first failure with exit code 1, so that a
 * mutant costs no more time than it takes to be found. {@code ./orrery mutants} starts it.
 */
final class Hunt implements TestExecutionListener {
  private static final int TEXT_MAX = 160;

  /** The cheapest first. */
  private static final List<String> LEVELS = List.of("Partition", "Database", "Cluster");

  private Hunt() {}

  /** Runs the levels that are named, or all. */
  public static void main(String[] args) {
    for (String level : args.length == 0 ? LEVELS : List.of(args)) {
      var tests =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectPackage("io.orrery.model"))
              .filters(includeClassNamePatterns(".*\\." + level + "ModelTest"))
              .build();
      LauncherFactory.create().execute(tests, new Hunt());
    }
    Runtime.getRuntime().halt(0); // threads of a mutant need not end by themselves
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      return;
    }
    Throwable failure = result.getThrowable().orElseGet(AssertionError::new);
    failure.printStackTrace();
    System.out.println("found\t" + name(test) + "\t" + text(failure));
    System.out.flush();
    Runtime.getRuntime().halt(1);
  }

  private static String name(TestIdentifier test) {
    String method =
        test.getSource()
            .map(source -> source instanceof MethodSource of ? of.getClassName() : "")
            .orElse("");
    return method.substring(method.lastIndexOf('.') + 1) + " " + test.getDisplayName();
  }

  /** The first line of what the innermost cause says. */
  private static String text(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof AssertionError)) {
      cause = cause.getCause();
    }
    String text = cause.toString().lines().findFirst().orElse("").replace('|', '/');
    return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) + "..." : text;
  }
}
