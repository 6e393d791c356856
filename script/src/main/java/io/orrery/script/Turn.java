package io.orrery.script;

import io.orrery.script.channel.Channel;
import io.orrery.script.channel.Message;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread's turn with a process of its own. */
final class Turn {
  private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

  private final ScriptProcess process;
  private final long patientUntilNanos;
  private final BooleanSupplier gone;
  private final boolean foresees;

  /** The functions that were called last, and their texts that the process has. */
  private @Nullable ScriptFunctions functions;

  private final Set<String> sent = new HashSet<>();
  private @Nullable Foresight foresight;
  private boolean midway;
  private long functionNanos;

  /** Until when the script that runs may take steps; null while none runs. */
  private @Nullable Long untilNanos;

  /**
   * @param gone whether the client has disconnected
   * @param foresees whether functions are called before a query comes to the call
   */
  Turn(ScriptProcess process, long patientUntilNanos, BooleanSupplier gone, boolean foresees) {
    this.process = process;
    this.patientUntilNanos = patientUntilNanos;
    this.gone = gone;
    this.foresees = foresees;
  }

  /** The one that the calling thread has; null when it has none. */
  static @Nullable Turn current() {
    return CURRENT.get();
  }

  void begin() {
    CURRENT.set(this);
    process.worksFor(gone);
  }

  void end() {
    CURRENT.remove();
    process.worksFor(() -> false);
    process.release();
    turnTo(null);
  }

  WorkTime workTime() {
    return process.workTime();
  }

  /** How long it has waited for functions so far, by the clock. */
  long functionNanos() {
    return functionNanos;
  }

  boolean mayForesee() {
    return foresees;
  }

  /** Whether the functions' text of that name is still to be sent. */
  boolean misses(ScriptFunctions calling, String name) {
    turnTo(calling);
    return !sent.contains(name);
  }

  /** The process has these texts now. */
  void sent(Set<String> names) {
    sent.addAll(names);
  }

  private void turnTo(@Nullable ScriptFunctions calling) {
    if (functions != calling) {
      functions = calling;
      sent.clear();
      foresee(null);
    }
  }

  /** What is known of the calls of these functions. */
  @Nullable Foresight foresight(ScriptFunctions calling) {
    return functions == calling ? foresight : null;
  }

  void foresees(ScriptFunctions calling, Foresight made) {
    turnTo(calling);
    foresee(made);
  }

  private void foresee(@Nullable Foresight next) {
    if (foresight != null) {
      foresight.close();
    }
    foresight = next;
  }

  /** Whether it was left in the midst of a conversation, so that the process is of no more use. */
  boolean isMidway() {
    return midway;
  }

  /** Whether the script that runs may take no more steps. */
  boolean isOverdue() {
    Long until = untilNanos;
    return until != null && System.nanoTime() - until > 0;
  }

  /** Makes the first of the calls, at least one. */
  Message.Results call(Message.Calls calls) {
    boolean alone = !midway;
    midway = true;
    Message answer;
    long began = System.nanoTime();
    try {
      answer = process.exchange(calls);
    } catch (Channel.FrameTooLarge e) {
      midway = !alone; // nothing was sent
      throw new ScriptRefused(
          ScriptRefused.Reason.TOO_LARGE, "The arguments of a function are too large: " + e);
    } finally {
      functionNanos += System.nanoTime() - began;
    }
    if (answer instanceof Message.Results results
        && results.values().size() + (results.refused() == null ? 0 : 1) <= calls.calls().size()
        && (results.refused() != null || !results.values().isEmpty())) {
      midway = !alone;
      return results;
    }
    throw process.broken(new IOException("calls were not answered by their results"));
  }

  /** Runs a script to its end. */
  ScriptAnswer run(ScriptText script, ScriptCall call, Documents documents) {
    turnTo(null);
    if (gone.getAsBoolean()) {
      throw ScriptRefused.gone();
    }
    var standing = new Message.Standing(documents.accepts(), documents.quota(), documents.usage());
    long patience = Math.max(0, patientUntilNanos - System.nanoTime());
    midway = true;
    Message next = new Message.Run(patience, script, call, standing);
    long until = System.nanoTime() + patience + process.runNanosMax();
    untilNanos = until;
    try {
      while (true) {
        switch (process.exchange(next, until - System.nanoTime())) {
          case Message.Ask(var step) -> {
            if (isOverdue()) {
              throw process.overran(); // a process that obeys asks for no more
            }
            next = performed(step, documents);
          }
          case Message.Done(var answer) -> {
            ScriptAnswer bounded = process.within(answer);
            midway = false;
            return bounded;
          }
          case Message.Refused(var why) -> {
            midway = false;
            throw why;
          }
          case Message other ->
              throw process.broken(new IOException("a script was answered by " + other));
        }
      }
    } finally {
      untilNanos = null;
      turnTo(null);
    }
  }

  private Message performed(Documents.Step step, Documents documents) {
    try {
      if (gone.getAsBoolean()) {
        throw ScriptRefused.gone();
      }
      return new Message.Replied(documents.perform(step), documents.accepts());
    } catch (RuntimeException | Error e) {
      abandon();
      throw e;
    }
  }

  /** Lets the script end, which cannot ask for more. */
  private void abandon() {
    if (process.isAlive()) {
      midway = !(process.exchange(new Message.Abandon()) instanceof Message.Refused);
    }
  }
}
