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

  /**
   * Behind a transaction.
   *
   * @param notBeforeTicks leaves out what was made before that time, as the page did that named the
   *     transaction: partitions that were merged had clocks of their own
   */
  record After(long lsn, long notBeforeTicks) implements ChangeStart {
    public After(long lsn) {
      this(lsn, 0);
    }
  }
}
