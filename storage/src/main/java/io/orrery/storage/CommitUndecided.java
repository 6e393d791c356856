package io.orrery.storage;

/**
 * The storage was closed while nobody could tell whether a commit had happened; whoever opens it
 * next finds its commit id in the head, or not. Not a {@link StorageFault}: nothing may be answered
 * as failed.
 */
public final class CommitUndecided extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CommitUndecided(String message, Throwable cause) {
    super(message, cause);
  }
}
