package io.orrery.script;

import java.time.Duration;

/**
 * What scripts may use.
 *
 * @param time of one execution, and of one call of a function in a query
 * @param threads how many scripts run at a time
 * @param waiting how many more may wait for their turn
 * @param outputBytes of what an execution answers
 * @param lostThreads how many threads may hang in code that cannot be stopped before no script is
 *     let in any more
 */
public record ScriptSettings(
    Duration time, int threads, int waiting, int outputBytes, int lostThreads) {

  public static final ScriptSettings DEFAULT =
      new ScriptSettings(
          Duration.ofSeconds(5),
          Math.max(2, Runtime.getRuntime().availableProcessors()),
          100,
          4 << 20,
          8);

  public ScriptSettings within(Duration other) {
    return new ScriptSettings(other, threads, waiting, outputBytes, lostThreads);
  }
}
