package io.orrery.operation;

import java.io.Serializable;

/** Where the reading of changes begins. */
public sealed interface ChangeStart extends Serializable {

  /** Before the first. */
  record Beginning() implements ChangeStart {}

  /** Behind all that have happened. */
  record Now() implements ChangeStart {}

  /** With the first that was made at or after a time, in {@link Ticks}. */
  record Time(long ticks) implements ChangeStart {}

  /** Behind a transaction. */
  record After(long lsn) implements ChangeStart {}
}
