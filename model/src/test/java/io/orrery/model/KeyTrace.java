package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What several clients saw happen to one key. */
final class KeyTrace {
  private final String key;
  private final Replay replay;
  private final List<Event> events = new ArrayList<>();
  private long named;

  /**
   * @param documents what the document numbers of the container named so far
   */
  KeyTrace(String key, boolean uniqueKeys, Timeline timeline, Map<Long, Name> documents) {
    this.key = key;
    this.replay = new Replay(new Reference(uniqueKeys), timeline, documents, false);
  }

  String key() {
    return key;
  }

  /** The highest LSN that an answer has named. */
  synchronized long named() {
    return named;
  }

  synchronized void add(Event event) {
    events.add(event);
    named = Math.max(named, event.lsn());
  }

  /** The key after all that was compared. */
  Reference state() {
    return replay.state();
  }

  /**
   * Compares all since the last time, while nothing is asked.
   *
   * @return the history since
   */
  synchronized Map<Long, Logged> check(DatabaseDriver driver) {
    Map<Long, Logged> history = driver.history(key, replay.reached());
    long last = history.keySet().stream().mapToLong(lsn -> lsn).max().orElse(0);
    replay.run(events, history, Math.max(Math.max(named, last), replay.reached()));
    events.clear();
    return history;
  }
}
