package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Change;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the change feed of a container from its beginning, range by range, and goes on in the
 * ranges that take the place of others as the SDKs do.
 */
final class Follower {
  private final DatabaseDriver driver;
  private final boolean allVersions;
  private final Tally tally;
  private final Random random;
  private final Timeline timeline;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final Map<String, Key> keys = new HashMap<>();

  /** A part of the container and the transaction up to which it was read. */
  private record Part(EpkRange epks, long lsn) {}

  /** What came of one key. */
  private static final class Key {
    final TreeMap<Long, List<Changed>> unread = new TreeMap<>();
    final TreeMap<Long, Logged> history = new TreeMap<>();
    final Map<Long, Version> latest = new HashMap<>();
    final Set<Version> versions = new HashSet<>();
    long lastLsn;
    long reached;
  }

  Follower(
      DatabaseDriver driver, boolean allVersions, Tally tally, Timeline timeline, Random random) {
    this.driver = driver;
    this.allVersions = allVersions;
    this.tally = tally;
    this.timeline = timeline;
    this.random = random;
    parts.add(new Part(EpkRange.ALL, 0));
  }

  private Key key(String key) {
    return keys.computeIfAbsent(key, k -> new Key());
  }

  /** Reads a page of the part that waits longest; tells whether there is more. */
  boolean step() {
    Part part = parts.removeFirst();
    List<PartitionKeyRange> over =
        driver.ranges().stream().filter(range -> range.range().overlaps(part.epks)).toList();
    if (over.size() > 1) {
      over.forEach(range -> parts.add(new Part(part.epks.intersect(range.range()), part.lsn)));
      return true;
    }
    Tally.Begun begun = tally.begin(allVersions ? "Versions" : "Latest");
    Outcome.ChangePage page =
        driver.changes(
            over.getFirst().id(), part.epks, part.lsn, 1 + random.nextInt(20), allVersions);
    begun.end();
    if (page == null) {
      parts.addFirst(part);
      return true;
    }
    assertTrue(page.lsn() >= part.lsn, () -> "went back from " + part + " to " + page.lsn());
    page.changes().forEach(change -> take(change, part));
    parts.add(new Part(part.epks, page.lsn()));
    return page.more();
  }

  private void take(Change change, Part part) {
    Key of = key(Items.keyOf(change));
    assertTrue(
        change.lsn() > part.lsn && change.lsn() >= of.lastLsn,
        () -> change + " came after " + of.lastLsn + " in " + part);
    of.lastLsn = change.lsn();
    if (allVersions) {
      of.unread.computeIfAbsent(change.lsn(), l -> new ArrayList<>()).add(Items.changed(change));
    } else {
      Version version = Items.version(Objects.requireNonNull(change.current()));
      of.latest.put(version.document(), version);
    }
  }

  /** Reads all that there is. */
  void drain() {
    int idle = 0;
    while (idle <= parts.size()) {
      idle = step() ? 0 : idle + 1;
    }
    for (Part part : parts) {
      keys.forEach(
          (key, of) -> {
            if (part.epks.contains(PartitionTasks.key(key).epk())) {
              of.reached = part.lsn;
            }
          });
    }
  }

  /**
   * Compares what came of a key with its history; what is newer than its reading may be missing.
   */
  void check(KeyTrace trace, Map<Long, Logged> history) {
    Key of = key(trace.key());
    if (allVersions) {
      of.history.putAll(history);
      while (!of.unread.isEmpty()) {
        var read = of.unread.pollFirstEntry();
        var had = of.history.pollFirstEntry();
        assertTrue(had != null, () -> "changes that never were: " + read);
        assertEquals(Map.entry(had.getKey(), had.getValue().changes()), read, "all versions");
      }
      assertTrue(
          of.history.isEmpty() || of.history.firstKey() > of.reached,
          () -> "changes are missing up to " + of.reached + ": " + of.history);
      return;
    }
    for (Logged logged : history.values()) {
      for (Changed change : logged.changes()) {
        Version current = change.current();
        if (current != null) {
          of.versions.add(current);
        }
      }
    }
    for (Version version : of.latest.values()) {
      assertTrue(of.versions.contains(version), () -> "a version that never was: " + version);
    }
    for (Version version : trace.state().visible(trace.key(), timeline.now())) {
      @Nullable Version came = of.latest.get(version.document());
      boolean due = version.stamp().lsn() <= of.reached && !timeline.everExpired(version);
      assertTrue(!due || version.equals(came), () -> "not " + version + " came last, but " + came);
    }
    of.versions.retainAll(trace.state().stored());
    of.latest.values().retainAll(of.versions);
  }
}
