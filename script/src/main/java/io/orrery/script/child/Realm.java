package io.orrery.script.child;

import io.orrery.script.ScriptRefused;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** One context with nothing of any user in it yet, and what went wrong there in words. */
final class Realm implements AutoCloseable {
  private static final int FRAMES_MAX = 20;
  private static final int MESSAGE_UNITS_MAX = 4_000;

  private static volatile boolean leftBehind;

  private final Context context;
  private final Value prelude;
  private final Value parse;
  private final Value stringify;

  Realm(Context context, Value prelude) {
    this.context = context;
    this.prelude = prelude;
    parse = prelude.getMember("parse");
    stringify = prelude.getMember("stringify");
  }

  Context context() {
    return context;
  }

  Value eval(Source source) {
    return context.eval(source);
  }

  Value parsed(String json) {
    return parse.execute(json);
  }

  Value undefined() {
    return prelude.getMember("nothing");
  }

  /** JSON; not a string where the value has none. */
  Value written(Value value) {
    return stringify.execute(value);
  }

  /**
   * Why code ended that was not to; called while the watch still runs, because errors can be
   * objects with code of their own.
   */
  ScriptRefused refusal(Throwable thrown, Watch watch) {
    ScriptRefused stopped = watch.stopped();
    if (stopped != null) {
      return stopped;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    if (!(thrown instanceof PolyglotException e)) {
      throw new IllegalStateException("Scripts failed by a fault", thrown);
    }
    if (e.isResourceExhausted()) {
      return new ScriptRefused(
          ScriptRefused.Reason.TOO_LARGE, "The script used more memory or stack than there is");
    }
    if (e.isSyntaxError()) {
      return new ScriptRefused(
          ScriptRefused.Reason.DOES_NOT_COMPILE,
          "The script is no JavaScript: " + cut(String.valueOf(e.getMessage())));
    }
    if (!e.isGuestException()) {
      return new ScriptRefused(
          ScriptRefused.Reason.FAILED, "The script failed inside the engine: " + e.getMessage());
    }
    return described(e, watch);
  }

  private ScriptRefused described(PolyglotException e, Watch watch) {
    int number = 0;
    String message = String.valueOf(e.getMessage());
    try {
      @Nullable Value thrown = e.getGuestObject();
      if (thrown != null) {
        Value described = prelude.getMember("describe").execute(thrown);
        number = described.getArrayElement(0).asInt();
        message = described.getArrayElement(1).asString();
      }
    } catch (RuntimeException | Error again) {
      ScriptRefused stopped = watch.stopped();
      if (stopped != null) {
        return stopped;
      }
    }
    return new ScriptRefused(
        ScriptRefused.Reason.FAILED,
        number,
        "Encountered exception while executing function. Exception = "
            + cut(message)
            + "\r\nStack trace: "
            + cut(message)
            + frames(e));
  }

  private static String frames(PolyglotException e) {
    return StreamSupport.stream(e.getPolyglotStackTrace().spliterator(), false)
        .filter(PolyglotException.StackFrame::isGuestFrame)
        .filter(frame -> frame.getSourceLocation() != null)
        .filter(frame -> !frame.getSourceLocation().getSource().isInternal())
        .limit(FRAMES_MAX)
        .map(
            frame -> {
              var at = frame.getSourceLocation();
              String name = frame.getRootName();
              return "\n   at %s (%s:%d:%d)"
                  .formatted(
                      name == null || name.isEmpty() || name.equals(":program")
                          ? "Anonymous function"
                          : name,
                      at.getSource().getName(),
                      at.getStartLine(),
                      at.getStartColumn());
            })
        .collect(Collectors.joining());
  }

  private static String cut(String text) {
    return text.length() <= MESSAGE_UNITS_MAX ? text : text.substring(0, MESSAGE_UNITS_MAX) + "…";
  }

  /**
   * Stops the code that runs in it, and closes it; blocks until the code has ended.
   *
   * <p>Code that filled its stack can have left the engine's own books of the context in disorder.
   * Closing it once more would never end then, so the process is to end.
   */
  void stop() {
    try {
      context.close(true);
    } catch (RuntimeException e) {
      leftBehind = true;
    }
  }

  /** Whether a context of this process could not be closed: what it holds stays in memory. */
  static boolean anyLeftBehind() {
    return leftBehind;
  }

  @Override
  public void close() {
    context.close(true);
  }
}
