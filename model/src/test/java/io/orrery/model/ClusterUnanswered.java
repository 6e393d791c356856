package io.orrery.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The requests of one key that were not answered; each may account for one LSN. */
final class ClusterUnanswered implements Unanswered {
  private final Moment moment;
  private final List<Asked> asked = new ArrayList<>();
  private Set<Long> deletions = Set.of();
  private int happened;

  /**
   * A request without an answer.
   *
   * @param floor the highest LSN that any answer had named before it began
   * @param done whether the refusal said that it was done
   */
  record Asked(Request request, long floor, boolean done) {}

  /**
   * @param moment of the whole run
   */
  ClusterUnanswered(Moment moment) {
    this.moment = moment;
  }

  /** What is known to be done comes first: it has to account for something. */
  synchronized void add(Asked request) {
    asked.add(request.done ? 0 : asked.size(), request);
  }

  synchronized boolean mayHaveDeletedKey() {
    return asked.stream().anyMatch(each -> each.request instanceof Request.DeleteKey);
  }

  /** Tells at which LSNs the key was deleted, which the feed does not. */
  synchronized void deletions(Set<Long> lsns) {
    deletions = new HashSet<>(lsns);
  }

  /** Ends a stretch after which nothing of it can happen any more; returns how many happened. */
  synchronized int end() {
    List<Asked> missing = asked.stream().filter(Asked::done).toList();
    if (!missing.isEmpty()) {
      throw new AssertionError("Said to be done, but not in the history: " + missing);
    }
    asked.clear();
    int count = happened;
    happened = 0;
    return count;
  }

  @Override
  public synchronized String toString() {
    return "unanswered " + asked;
  }

  @Override
  public synchronized boolean explain(long lsn, List<Changed> changes, Reference state) {
    for (Asked each : asked) {
      if (each.floor < lsn && mayHaveMade(each.request, lsn, changes)) {
        Reference copy = state.copy();
        copy.apply(each.request, Result.Refused.UNAVAILABLE, moment);
        if (copy.takeLog().equals(changes)) {
          state.apply(each.request, Result.Refused.UNAVAILABLE, moment);
          asked.remove(each);
          happened++;
          return true;
        }
      }
    }
    return false;
  }

  /** The deletion of a key makes no changes in the history, and all others make some. */
  private boolean mayHaveMade(Request request, long lsn, List<Changed> changes) {
    return request instanceof Request.DeleteKey
        ? changes.isEmpty() && deletions.contains(lsn)
        : !changes.isEmpty();
  }
}
