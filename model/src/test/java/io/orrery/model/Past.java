package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Map;
import java.util.TreeMap;

/**
 * The history that was read before, to be read again while parts of it are trimmed: what is given
 * is complete, or refused, and what is within its retention is not refused.
 */
final class Past {
  private static final int ALL = 100_000;

  private final Driver driver;
  private final TreeMap<Long, Logged> changes = new TreeMap<>();

  /** LSNs that were the last at a time, by that time in seconds. */
  private final TreeMap<Long, Long> reached = new TreeMap<>();

  Past(Driver driver) {
    this.driver = driver;
  }

  /** Takes over what followed, up to an LSN. */
  void add(Map<Long, Logged> history, long upTo, long seconds) {
    changes.putAll(history);
    reached.put(seconds, upTo);
  }

  /** Reads again from the first LSN that is not trimmed. */
  void check(long upTo, long seconds) {
    long due = seconds - driver.retentionSeconds();
    Map.Entry<Long, Long> old = reached.floorEntry(due);
    if (old == null) {
      return;
    }
    Map.Entry<Long, Long> young = reached.higherEntry(due);
    long low = old.getValue();
    long high = young == null ? upTo : young.getValue();
    Map<Long, Logged> found = driver.history(high, ALL);
    assertNotNull(found, "history within the retention, after " + high);
    // Trimming goes on from the oldest: below some LSN all is refused, and from there on nothing.
    while (low < high) {
      long middle = (low + high) >>> 1;
      Map<Long, Logged> given = driver.history(middle, ALL);
      if (given == null) {
        low = middle + 1;
      } else {
        high = middle;
        found = given;
      }
    }
    assertEquals(changes.tailMap(high, false), found, "history after " + high);
    changes.headMap(high).clear();
    reached.headMap(old.getKey()).clear();
  }
}
