package io.orrery.partition;

import io.orrery.storage.Head;
import java.util.function.LongSupplier;

/** The LSN, time and place of what is being written. Belongs to one group. */
final class WriteStamp {
  private final LongSupplier clock;
  private Mode mode = Mode.EACH;
  private long lsn;
  private long ticks;
  private int position;
  private long lsnBefore;
  private long ticksBefore;
  private Mode modeBefore = Mode.EACH;
  private int positionBefore;

  /** Whether each write is a transaction, or all that follow are one. */
  private enum Mode {
    EACH,
    TO_BEGIN,
    BEGUN
  }

  WriteStamp(Head before, LongSupplier clock) {
    this.clock = clock;
    this.lsn = before.lsn();
    this.ticks = before.commitTicks();
  }

  /** From here on each write is a transaction again, and what follows can be undone. */
  void savepoint() {
    mode = Mode.EACH;
    position = 0;
    savepointWithin();
  }

  /** What follows can be undone; a transaction that was begun goes on. */
  void savepointWithin() {
    modeBefore = mode;
    lsnBefore = lsn;
    ticksBefore = ticks;
    positionBefore = position;
  }

  /** Undoes what followed the savepoint: its LSNs are given to others. */
  void rollBack() {
    mode = modeBefore;
    lsn = lsnBefore;
    ticks = ticksBefore;
    position = positionBefore;
  }

  /** Makes one transaction of all writes that follow. */
  void join() {
    mode = Mode.TO_BEGIN;
  }

  /** Goes on to the next write. */
  void next() {
    if (mode == Mode.BEGUN) {
      position++;
      return;
    }
    lsn++;
    ticks = Math.max(clock.getAsLong(), ticks + 1);
    position = 0;
    if (mode == Mode.TO_BEGIN) {
      mode = Mode.BEGUN;
    }
  }

  /** Goes on to another write of the same transaction. */
  void also() {
    position++;
  }

  long lsn() {
    return lsn;
  }

  long ticks() {
    return ticks;
  }

  int position() {
    return position;
  }
}
