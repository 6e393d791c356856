package io.orrery.model;

import java.util.ArrayList;
import java.util.List;

/** The moments of a run in their order, some of which overlap: a change takes time. */
final class Timeline {
  private final List<Moment> moments = new ArrayList<>();

  /** The first moment that may still be in force. */
  private int settled;

  Timeline(Moment first) {
    moments.add(first);
  }

  synchronized Moment now() {
    return moments.getLast();
  }

  synchronized int settled() {
    return settled;
  }

  /** All moments from one on. */
  synchronized List<Moment> since(int first) {
    return List.copyOf(moments.subList(first, moments.size()));
  }

  /** Goes on to a moment while something is done. Only one thread does so. */
  void change(Moment next, Runnable how) {
    synchronized (this) {
      moments.add(next);
    }
    how.run();
    synchronized (this) {
      settled = moments.size() - 1;
    }
  }

  /**
   * The moments by which upkeep may have decided that committed at a time: it looks at the clock
   * before, and commits of one clock reading are a little ahead of it.
   */
  synchronized List<Moment> around(long ticks) {
    long seconds = ticks / Clock.TICKS_PER_SECOND;
    int last = moments.size() - 1;
    while (last > 0 && moments.get(last).seconds() > seconds) {
      last--;
    }
    int first = last;
    while (first > 0 && moments.get(first).seconds() >= seconds - 1) {
      first--;
    }
    return List.copyOf(moments.subList(first, last + 1));
  }

  /** Whether clients can have found a version expired. */
  synchronized boolean everExpired(Version version) {
    return moments.stream().anyMatch(moment -> moment.isExpired(version));
  }
}
