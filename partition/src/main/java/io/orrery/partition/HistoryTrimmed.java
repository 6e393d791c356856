package io.orrery.partition;

/** Changes were asked for that are older than the history is kept. */
public final class HistoryTrimmed extends RuntimeException {
  private static final long serialVersionUID = 1;

  HistoryTrimmed() {
    // An answer to the client, not a fault: no stack trace.
    super("The history no longer reaches back so far", null, false, false);
  }
}
