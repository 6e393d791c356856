package io.orrery.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shows queries that saw several states of a key all that they can have seen. */
final class Scans {
  /** In the order of the states that they began on, the last one first. */
  private final List<Open> waiting = new ArrayList<>();

  private final List<Open> open = new ArrayList<>();

  /** A query and the state that it began on. */
  private record Open(Event.Scanned scan, long from) {
    void see(Reference state) {
      for (Moment moment : scan.moments()) {
        scan.spread().see(scan.key(), state.visible(scan.key(), moment));
      }
    }
  }

  Scans(List<Event> events, long reached) {
    for (Event event : events) {
      if (event instanceof Event.Scanned scan) {
        waiting.add(new Open(scan, Math.max(scan.floor(), reached)));
      }
    }
    waiting.sort(Comparator.comparingLong(Open::from).reversed());
  }

  /**
   * Shows the state after an LSN.
   *
   * @param changed whether it differs from the one before
   */
  void see(long lsn, Reference state, boolean changed) {
    if (changed) {
      open.forEach(each -> each.see(state));
    }
    while (!waiting.isEmpty() && waiting.getLast().from <= lsn) {
      Open begun = waiting.removeLast();
      begun.see(state);
      open.add(begun);
    }
    open.removeIf(each -> each.scan.lsn() <= lsn);
  }
}
