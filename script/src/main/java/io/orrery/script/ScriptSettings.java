package io.orrery.script;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What scripts may use.
 *
 * @param time of one execution, and of one call of a function in a query
 * @param processes how many processes run scripts, one script at a time each
 * @param memoryBytes the heap of each process
 * @param waiting how many more scripts may wait for their turn
 * @param outputBytes of what an execution answers
 * @param cache classes for a quick start of processes, made by {@link ScriptHost#train}; null
 *     without
 */
public record ScriptSettings(
    Duration time,
    int processes,
    long memoryBytes,
    int waiting,
    int outputBytes,
    @Nullable Path cache) {

  /** The least in which the engine has room beside a script. */
  public static final long MEMORY_BYTES_LEAST = 64L << 20;

  public static final ScriptSettings DEFAULT =
      new ScriptSettings(
          Duration.ofSeconds(5),
          Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8),
          256L << 20,
          100,
          4 << 20,
          null);

  public ScriptSettings within(Duration other) {
    return new ScriptSettings(other, processes, memoryBytes, waiting, outputBytes, cache);
  }

  public ScriptSettings with(int otherProcesses, long otherMemoryBytes) {
    return new ScriptSettings(time, otherProcesses, otherMemoryBytes, waiting, outputBytes, cache);
  }

  public ScriptSettings with(Path otherCache) {
    return new ScriptSettings(time, processes, memoryBytes, waiting, outputBytes, otherCache);
  }
}
