package io.orrery.partition;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one carrier thread free of writers that compute for long and write nothing. A commit waits
 * for the disk and leaves its carrier, and its turn, to others meanwhile; refused writes, and
 * upkeep that finds nothing, do not wait: as many such writers as there are carriers would stop all
 * other requests. One instance belongs to one writer.
 */
final class LongTurns {
  /** One permit for each carrier but one, at least one; shared by all writers of the process. */
  private static final Semaphore CARRIERS =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** For so long after a long turn the writer is expected to have another one. */
  private static final long EXPECTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private boolean expected;
  private long expectedUntil;

  /** Whether the present turn is one of those that others wait for. */
  private boolean holds;

  /** Something that a writer does in a turn. */
  interface Turn {
    /** Tells whether it kept its carrier from beginning to end. */
    boolean run();
  }

  void run(Turn turn) {
    if (expected && System.nanoTime() - expectedUntil < 0) {
      CARRIERS.acquireUninterruptibly();
      holds = true;
      try {
        measured(turn);
      } finally {
        leave();
      }
    } else {
      expected = false;
      measured(turn);
    }
  }

  /** Called in a turn that goes on to wait for the disk: others need not wait for that. */
  void leave() {
    if (holds) {
      holds = false;
      CARRIERS.release();
    }
  }

  private void measured(Turn turn) {
    long began = System.nanoTime();
    boolean kept = turn.run();
    long ended = System.nanoTime();
    if (kept && ended - began > LONG_NANOS) {
      expected = true;
      expectedUntil = ended + EXPECTED_NANOS;
    }
  }
}
