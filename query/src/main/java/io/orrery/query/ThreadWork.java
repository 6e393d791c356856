package io.orrery.query;

import io.orrery.query.function.QueryClock;
import io.orrery.query.function.Work;

/**
 * One thread's share in the budget of a run. Small temporary values cost an addition: the budget is
 * asked when many steps or bytes have come together.
 */
final class ThreadWork implements Work {
  private static final long STEPS_PER_LOOK = 4096;

  /** An evaluation that holds less does not show in the account. */
  private static final long FREE_BYTES = 64L << 10;

  private static final long LEAST_DRAW_BYTES = 256L << 10;

  private final QueryBudget budget;
  private final QueryClock clock;
  private long steps;
  private long reportedSteps;
  private long lookAtStep = STEPS_PER_LOOK;
  private long temporaryBytes;
  private long heldBytes;
  private long drawnBytes;

  ThreadWork(QueryBudget budget, QueryClock clock) {
    this.budget = budget;
    this.clock = clock;
  }

  @Override
  public QueryClock clock() {
    return clock;
  }

  @Override
  public void steps(long count) {
    steps += count;
    if (steps >= lookAtStep) {
      lookAtStep = steps + STEPS_PER_LOOK;
      long since = steps - reportedSteps;
      reportedSteps = steps;
      budget.steps(since);
    }
  }

  /** Adds the steps since the last call to the budget. */
  void report() {
    long since = steps - reportedSteps;
    reportedSteps = steps;
    budget.count(since);
  }

  /** Looks at the time, whatever was counted. */
  void look() {
    budget.look();
  }

  /** All steps of this thread. */
  long steps() {
    return steps;
  }

  @Override
  public void take(long bytes) {
    temporaryBytes += bytes;
    draw();
  }

  /** Where {@link #reset} goes back to. */
  long mark() {
    return temporaryBytes;
  }

  /** What was taken since the mark is garbage now. */
  void reset(long mark) {
    temporaryBytes = mark;
  }

  /** Draws what a nested query gathers, which outlives its rows. */
  void hold(long bytes) {
    heldBytes += bytes;
    draw();
  }

  void release(long bytes) {
    heldBytes -= bytes;
  }

  private void draw() {
    long missing = temporaryBytes + heldBytes - FREE_BYTES - drawnBytes;
    if (missing > 0) {
      long more = Math.max(missing, LEAST_DRAW_BYTES);
      budget.take(more);
      drawnBytes += more;
    }
  }

  /** The evaluation of an item has ended, its rows are with their taker. */
  void endItem() {
    temporaryBytes = 0;
    heldBytes = 0;
    if (drawnBytes > 0) {
      budget.giveBack(drawnBytes);
      drawnBytes = 0;
    }
  }
}
