package io.orrery.script;

import java.util.Objects;

/** A script did not come to its end; nothing of what it did counts. */
public final class ScriptRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Reason reason;
  private final int number;
  private final String log;

  /** Why. */
  public enum Reason {
    /** It threw, or did what it may not. */
    FAILED,
    /** It is no JavaScript, or no function. */
    DOES_NOT_COMPILE,
    TIMED_OUT,
    /** It took too much memory, or answered too much. */
    TOO_LARGE,
    /** Too many others run and wait; later it may be let in. */
    TOO_BUSY,
    /** The process that ran it ended, and not by the script; it may be run again. */
    INTERRUPTED
  }

  private ScriptRefused(Reason reason, int number, String message, String log) {
    super(message, null, false, false);
    this.reason = reason;
    this.number = number;
    this.log = log;
  }

  public ScriptRefused(Reason reason, int number, String message) {
    this(reason, number, message, "");
  }

  public ScriptRefused(Reason reason, String message) {
    this(reason, 0, message);
  }

  /** Nobody waits for the answer any more. */
  static ScriptRefused gone() {
    return new ScriptRefused(
        Reason.INTERRUPTED,
        "The client has disconnected, so the script was ended; nothing was done");
  }

  public Reason reason() {
    return reason;
  }

  /** The number of the error that was thrown; 0 when it had none. */
  public int number() {
    return number;
  }

  public String text() {
    return Objects.requireNonNull(getMessage());
  }

  /** What the script wrote to its console before. */
  public String log() {
    return log;
  }

  /** The same, with what the script wrote to its console. */
  public ScriptRefused with(String written) {
    return new ScriptRefused(reason, number, text(), written);
  }
}
