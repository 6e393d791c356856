package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds queries that saw several states against all of them: what matched throughout must be in
 * their rows, and what never matched must not.
 */
final class Scans {
  private final List<Open> open = new ArrayList<>();

  /** A query and what matched since its beginning. */
  private static final class Open {
    final Event.Scanned scan;
    final long from;
    final Set<String> ever = new HashSet<>();
    final Set<String> throughout = new HashSet<>();
    boolean begun;

    Open(Event.Scanned scan, long from) {
      this.scan = scan;
      this.from = from;
    }

    void see(Reference state) {
      List<String> matching = scan.look().rows(state.visible(scan.key(), scan.seconds()));
      ever.addAll(matching);
      if (begun) {
        throughout.retainAll(matching);
      } else {
        throughout.addAll(matching);
        begun = true;
      }
    }

    void check() {
      String text = scan + ", throughout " + throughout + ", ever " + ever;
      assertTrue(scan.rows().containsAll(throughout), () -> "rows are missing: " + text);
      assertTrue(ever.containsAll(scan.rows()), () -> "rows that never were: " + text);
    }
  }

  Scans(List<Event> events, long reached) {
    for (Event event : events) {
      if (event instanceof Event.Scanned scan) {
        open.add(new Open(scan, Math.max(scan.floor(), reached)));
      }
    }
  }

  /** Tells the state after an LSN. */
  void see(long lsn, Reference state) {
    for (Open each : List.copyOf(open)) {
      if (lsn >= each.from) {
        each.see(state);
      }
      if (lsn >= each.scan.lsn()) {
        each.check();
        open.remove(each);
      }
    }
  }
}
