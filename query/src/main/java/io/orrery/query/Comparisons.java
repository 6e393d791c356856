package io.orrery.query;

import io.orrery.query.function.QueryClock;
import io.orrery.query.function.Work;

/**
 * Counts the comparisons of rows that are sorted, merged or made unique outside of the partitions.
 * Belongs to one thread at a time.
 */
public final class Comparisons implements Work {
  private final ThreadWork work;
  private long takenSteps;

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

  /** The steps since the last call. */
  public long takeSteps() {
    long since = work.steps() - takenSteps;
    takenSteps += since;
    return since;
  }
}
