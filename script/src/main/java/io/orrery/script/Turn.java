package io.orrery.script;

import io.orrery.script.channel.Message;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A thread's turn with a process of its own. */
final class Turn {
  private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

  private final ScriptProcess process;
  private final long patientUntilNanos;

  /** The functions that were called last, and their texts that the process has. */
  private @Nullable ScriptFunctions functions;

  private final Set<String> sent = new HashSet<>();
  private @Nullable Foresight foresight;
  private boolean midway;

  Turn(ScriptProcess process, long patientUntilNanos) {
    this.process = process;
    this.patientUntilNanos = patientUntilNanos;
  }

  /** The one that the calling thread has; null when it has none. */
  static @Nullable Turn current() {
    return CURRENT.get();
  }

  void begin() {
    CURRENT.set(this);
  }

  static void end() {
    CURRENT.remove();
  }

  /** Whether the functions' text of that name is still to be sent; asked once. */
  boolean misses(ScriptFunctions calling, String name) {
    turnTo(calling);
    return sent.add(name);
  }

  private void turnTo(@Nullable ScriptFunctions calling) {
    if (functions != calling) {
      functions = calling;
      sent.clear();
      foresight = null;
    }
  }

  /** What is known of the calls of these functions. */
  @Nullable Foresight foresight(ScriptFunctions calling) {
    return functions == calling ? foresight : null;
  }

  void foresees(ScriptFunctions calling, Foresight made) {
    turnTo(calling);
    foresight = made;
  }

  /** Whether it was left in the midst of a conversation, so that the process is of no more use. */
  boolean isMidway() {
    return midway;
  }

  /** Makes the first of the calls, at least one. */
  Message.Results call(Message.Calls calls) {
    boolean alone = !midway;
    midway = true;
    Message answer = process.exchange(calls);
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
    var standing = new Message.Standing(documents.accepts(), documents.quota(), documents.usage());
    long patience = Math.max(0, patientUntilNanos - System.nanoTime());
    midway = true;
    Message next = new Message.Run(patience, script, call, standing);
    try {
      while (true) {
        switch (process.exchange(next)) {
          case Message.Ask(var step) -> next = performed(step, documents);
          case Message.Done(var answer) -> {
            midway = false;
            return answer;
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
      turnTo(null);
    }
  }

  private Message performed(Documents.Step step, Documents documents) {
    try {
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
