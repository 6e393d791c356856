package io.orrery.script;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts of users within bounds, in processes of their own. Costs nothing until the first.
 */
public final class ScriptHost implements AutoCloseable {
  private static final int TRIES = 2;

  private final ScriptProcesses processes;

  public ScriptHost(ScriptSettings settings) {
    processes = new ScriptProcesses(settings);
  }

  /** Starts a process for scripts to come; does not wait for it. */
  public void prepare() {
    processes.prepare();
  }

  /**
   * Does work that runs scripts, on the calling thread, with a process of its own; blocks. The work
   * is done again when the process ends through no fault of its scripts, so it must have no effect
   * before its last script has ended.
   *
   * @throws ScriptRefused when too many others run and wait
   */
  public <T> T inTurn(Callable<T> work) {
    return inTurn(nanos -> {}, work);
  }

  /**
   * The same for work that has a deadline of its own.
   *
   * @param waited receives how long the work waited for a process to start
   */
  <T> T inTurn(LongConsumer waited, Callable<T> work) {
    return inTurn(Duration.ZERO, () -> false, waited, work);
  }

  /**
   * The same, where the storage may be away for a while.
   *
   * @param patience how long the work may wait for its turn and for its documents without that
   *     being time of its scripts
   * @param gone whether the client has disconnected: the script ends then
   */
  public <T> T inTurn(Duration patience, BooleanSupplier gone, Callable<T> work) {
    return inTurn(patience, gone, nanos -> {}, work);
  }

  private <T> T inTurn(
      Duration patience, BooleanSupplier gone, LongConsumer waited, Callable<T> work) {
    if (Turn.current() != null) {
      return called(work);
    }
    long patientUntil = System.nanoTime() + patience.toNanos();
    for (int tries = 1; ; tries++) {
      ScriptProcess process = processes.take(patience, waited);
      var turn = new Turn(process, patientUntil, gone, tries == 1);
      turn.begin();
      try {
        return called(work);
      } catch (ProcessEnded e) {
        if (tries == TRIES) {
          throw new ScriptRefused(
              ScriptRefused.Reason.INTERRUPTED,
              "The script was not run to its end, and nothing was done: " + e.getMessage());
        }
      } finally {
        turn.end();
        if (turn.isMidway()) {
          process.close();
        }
        processes.giveBack(process);
      }
    }
  }

  private static <T> T called(Callable<T> work) {
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  /**
   * Runs a script to its end in a context of its own; only {@link #inTurn}.
   *
   * @throws ScriptRefused when it does not come to its end
   */
  public ScriptAnswer run(ScriptText script, ScriptCall call, Documents documents) {
    return turn().run(script, call, documents);
  }

  /** Whether the calling thread has a process already. */
  public boolean isInTurn() {
    return Turn.current() != null;
  }

  /** Whether the time is over of the script that the calling thread runs. */
  public boolean isOverdue() {
    Turn turn = Turn.current();
    return turn != null && turn.isOverdue();
  }

  /** Begins to measure the process that the calling thread has; only {@link #inTurn}. */
  public WorkTime workTime() {
    return turn().workTime();
  }

  /**
   * How long the calling thread has waited for functions so far, by the clock; only {@link
   * #inTurn}.
   */
  public long functionNanos() {
    return turn().functionNanos();
  }

  private static Turn turn() {
    Turn turn = Turn.current();
    if (turn == null) {
      throw new IllegalStateException("Scripts run in turn");
    }
    return turn;
  }

  /**
   * The functions of one query while it runs.
   *
   * @param texts finds a function by its name; null when there is none
   */
  public ScriptFunctions functions(
      Function<String, @Nullable ScriptText> texts, CallBudget budget) {
    return new ScriptFunctions(this, texts, budget);
  }

  /**
   * Makes a cache of the classes that a process loads, for {@link ScriptSettings#cache}; blocks for
   * some seconds.
   */
  public static void train(ScriptSettings settings, Path cache)
      throws IOException, InterruptedException {
    try (ScriptProcess process = ScriptProcess.train(settings, cache)) {
      process.awaitReady();
      process.finish();
    }
  }

  @Override
  public void close() {
    processes.close();
  }
}
