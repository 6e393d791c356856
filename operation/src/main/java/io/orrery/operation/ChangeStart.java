package io.orrery.operation;

/** Where the reading of changes begins. */
public sealed interface ChangeStart {

  /** Before the first. */
  record Beginning() implements ChangeStart {}

  /** Behind all that have happened. */
  record Now() implements ChangeStart {}

  /** With the first that was made at or after a time, in {@link Ticks}. */
  record Time(long ticks) implements ChangeStart {}

  /** Behind a transaction. */
  record After(long lsn) implements ChangeStart {}
}
