package io.orrery.query;

import io.orrery.query.function.QueryClock;
import io.orrery.query.function.Work;

/**
 * Counts the comparisons of rows that are sorted, merged or made unique outside of the partitions,
 * and what is computed of groups and rows there. Belongs to one thread at a time.
 */
public final class Comparisons implements Work {
  private final ThreadWork work;
  private long takenSteps;
  private long countedSteps;

  public Comparisons(Parameters parameters) {
    work = new ThreadWork(parameters.budget(), parameters.clock());
  }

  @Override
  public QueryClock clock() {
    return work.clock();
  }

  @Override
  public void steps(long count) {
    work.steps(count);
  }

  /** What is compared was drawn before, and copies of it live no longer than the comparison. */
  @Override
  public void take(long bytes) {}

  /** Adds steps of other work of the same page, which looked at the time itself. */
  public void count(long steps) {
    countedSteps += steps;
  }

  /** The steps since the last call. */
  public long takeSteps() {
    long since = work.steps() + countedSteps - takenSteps;
    takenSteps += since;
    return since;
  }
}
