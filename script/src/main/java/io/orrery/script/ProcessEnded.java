package io.orrery.script;

/** A process ended by itself or by others while a script ran in it; the script may run again. */
final class ProcessEnded extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProcessEnded(String message) {
    super(message, null, false, false);
  }
}
