package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What clients of several nodes saw happen to one key. */
final class ClusterTrace {
  /** Each waits for 30 s at most. */
  private static final int ASKED_MAX = 3;

  private final String key;
  private final Timeline timeline;
  private final Tally tally;
  private final ClusterUnanswered unanswered;
  private final Replay replay;

  /** All that has happened, as the replay confirmed it. */
  private final TreeMap<Long, Logged> confirmed = new TreeMap<>();

  /** Guarded by this, as all below. */
  private final List<Event> events = new ArrayList<>();

  private final List<ClusterDriver.Told> told = new ArrayList<>();

  /** What was asked of whom since the last check, for those who read of a failure. */
  private final List<String> journal = new ArrayList<>();

  private long named;

  /**
   * @param documents what the document numbers of the container named so far
   */
  ClusterTrace(
      String key, boolean uniqueKeys, Timeline timeline, Tally tally, Map<Long, Name> documents) {
    this.key = key;
    this.timeline = timeline;
    this.tally = tally;
    this.unanswered = new ClusterUnanswered(timeline.now());
    this.replay = Replay.ofKey(new Reference(uniqueKeys), timeline, documents, unanswered);
  }

  String key() {
    return key;
  }

  /** The highest LSN that any answer has named: what is asked from now on must not be older. */
  synchronized long named() {
    return named;
  }

  synchronized void add(Event event) {
    events.add(event);
    named = Math.max(named, event.lsn());
  }

  boolean mayHaveDeletedKey() {
    return unanswered.mayHaveDeletedKey();
  }

  /** The version that was written; null when none was, or nobody can tell. */
  @Nullable Version ask(
      Request request, ClusterDriver.Consistency consistency, ClusterDriver driver, Random own)
      throws InterruptedException {
    boolean mayBeOld = consistency == ClusterDriver.Consistency.EVENTUAL;
    Tally.Begun begun = tally.begin(kind(request, consistency));
    // A read that may be old has to fit any state since the last check.
    long floor = mayBeOld ? replay.reached() : named();
    ClusterNode node = driver.any(own);
    long began = System.nanoTime();
    ClusterDriver.Reply reply = driver.ask(request, consistency, node, own);
    note(began, node, consistency + " " + request, reply);
    if (reply instanceof ClusterDriver.Reply.Answered(Placed placed)) {
      Result result = placed.result();
      List<Moment> moments = begun.end(mayBeOld ? null : placed, Event.wrote(result));
      add(new Event.Answered(request, result, placed.lsn(), floor, moments));
      return result instanceof Result.Written(boolean created, Version version) ? version : null;
    }
    begun.end();
    if (reply instanceof ClusterDriver.Reply.Unknown(boolean done)
        && !(request instanceof Request.Read)) {
      unanswered.add(new ClusterUnanswered.Asked(request, floor, done));
    }
    return null;
  }

  private static String kind(Request request, ClusterDriver.Consistency consistency) {
    return switch (consistency) {
      case STRONG -> request.kind();
      case SESSION -> "Session";
      case EVENTUAL -> "Eventual";
    };
  }

  private synchronized void note(long began, ClusterNode node, String asked, Object answer) {
    long now = System.nanoTime();
    journal.add(
        "%d us for %d us, %s: %s: %s"
            .formatted(
                TimeUnit.NANOSECONDS.toMicros(began),
                TimeUnit.NANOSECONDS.toMicros(now - began),
                node.address(),
                asked,
                answer));
  }

  /** The LSN behind which nothing happened to the key before this was asked; null as in a read. */
  @Nullable Long lsn(ClusterDriver driver, Random own) throws InterruptedException {
    var read = new Request.Read(new Name(key, "none"), Condition.Any.ANY);
    return driver.ask(read, ClusterDriver.Consistency.STRONG, driver.any(own), own)
            instanceof ClusterDriver.Reply.Answered(Placed placed)
        ? (Long) placed.lsn()
        : null;
  }

  /** Reads the history since the last check, while others write. */
  void feed(ClusterDriver driver, ClusterNode node) throws InterruptedException {
    Tally.Begun begun = tally.begin("Feed");
    long floor = named();
    long began = System.nanoTime();
    ClusterDriver.Told page = driver.history(key, replay.reached(), node);
    begun.end();
    if (page != null) {
      note(began, node, "feed", page);
      assertTrue(page.to() >= floor, () -> "the feed of " + key + " went back in time: " + page);
      synchronized (this) {
        told.add(page);
        named = Math.max(named, page.to());
      }
    }
  }

  /**
   * Compares all since the last time, while nothing is asked; returns how many requests without an
   * answer were done.
   *
   * @param deletions the LSNs at which the key was deleted, where that matters
   */
  synchronized int check(ClusterDriver driver, ClusterNode node, Set<Long> deletions)
      throws InterruptedException {
    long reached = replay.reached();
    ClusterDriver.Told page = null;
    for (int i = 0; i < ASKED_MAX && page == null; i++) {
      page = driver.history(key, reached, node);
    }
    if (page == null) {
      throw new AssertionError("Nobody serves the history of " + key + " though all nodes do");
    }
    long upTo = Math.max(Math.max(named, reached), last(page.changes()));
    for (long deletion : deletions) {
      upTo = Math.max(upTo, deletion);
    }
    unanswered.deletions(deletions);
    try {
      replay.run(events, page.changes(), upTo);
    } catch (AssertionError e) {
      String more = "\n" + page + "\n" + unanswered + "\n" + String.join("\n", journal);
      throw new AssertionError("key " + key + ": " + e.getMessage() + more, e);
    }
    for (ClusterDriver.Told seen : told) {
      var expected = new TreeMap<>(page.changes().subMap(seen.from(), false, seen.to(), true));
      assertEquals(expected, seen.changes(), () -> "feed of " + key + " from " + seen.from());
    }
    confirmed.putAll(page.changes());
    named = upTo;
    events.clear();
    told.clear();
    journal.clear();
    return unanswered.end();
  }

  private static long last(SortedMap<Long, Logged> changes) {
    return changes.isEmpty() ? 0 : changes.lastKey();
  }

  /** Reads both feeds from the beginning through one node. */
  synchronized void checkFeeds(ClusterDriver driver, ClusterNode node) throws InterruptedException {
    ClusterDriver.Told all = Objects.requireNonNull(driver.history(key, 0, node));
    assertEquals(confirmed, all.changes(), () -> "the whole feed of " + key);
    List<Version> latest = Run.changedBehind(replay.state().visible(key, timeline.now()), 0);
    assertEquals(latest, driver.latest(key, node), () -> "the latest versions of " + key);
  }
}
