package io.orrery.script.channel;

import java.time.Duration;
import java.util.List;

/**
 * What a process holds its scripts to, as the arguments it is started with.
 *
 * @param time of one execution, and of one call of a function
 * @param outputBytes of what an execution answers
 * @param training whether the process only makes a cache of classes, which it has to write
 */
public record ChildLimits(Duration time, int outputBytes, boolean training) {

  /** How much longer than its time a script may take where it does not get the processor. */
  public static final int STARVED = 4;

  /** Of what a script writes to its console; more of it is left out. */
  public static final int LOG_UNITS_MAX = 64 << 10;

  /** Of why a script did not come to its end; more of it is cut off. */
  public static final int TEXT_UNITS_MAX = 64 << 10;

  public List<String> arguments() {
    return List.of(
        Long.toString(time.toNanos()), Integer.toString(outputBytes), Boolean.toString(training));
  }

  public static ChildLimits of(String[] arguments) {
    return new ChildLimits(
        Duration.ofNanos(Long.parseLong(arguments[0])),
        Integer.parseInt(arguments[1]),
        Boolean.parseBoolean(arguments[2]));
  }
}
