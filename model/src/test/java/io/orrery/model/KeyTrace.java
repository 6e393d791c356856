package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What several clients saw happen to one key. */
final class KeyTrace {
  private final String key;
  private final Replay replay;
  private final List<Event> events = new ArrayList<>();
  private long named;

  KeyTrace(String key, boolean uniqueKeys) {
    this.key = key;
    this.replay = new Replay(new Reference(uniqueKeys));
  }

  private synchronized long named() {
    return named;
  }

  private synchronized void add(Event event) {
    events.add(event);
    named = Math.max(named, event.lsn());
  }

  /** The stamp of what was written; null when nothing was. */
  Version.@Nullable Stamp ask(Request request, DatabaseDriver driver) {
    long floor = named();
    Driver.Answer answer = driver.ask(request);
    if (answer == null) {
      return null;
    }
    add(new Event.Answered(request, answer.result(), answer.lsn(), floor, 0));
    return answer.result() instanceof Result.Written(boolean created, Version version)
        ? version.stamp()
        : null;
  }

  void look(Look look, DatabaseDriver driver) {
    long floor = named();
    Driver.Rows<String> found = driver.query(look, key);
    add(
        new Event.Looked(
            look + " of " + key,
            found.rows(),
            state -> look.rows(state.visible(key, 0)),
            found.lsn(),
            floor,
            0));
  }

  /** A query where reads do not repeat: it ends before the read behind it. */
  void scan(Look look, DatabaseDriver driver) {
    long floor = named();
    Driver.Rows<String> found = driver.query(look, key);
    Driver.Answer behind = driver.ask(new Request.Read(new Name(key, "behind"), Condition.Any.ANY));
    if (behind != null && look.isOfItems()) {
      add(new Event.Scanned(look, key, Set.copyOf(found.rows()), behind.lsn(), floor, 0));
    }
  }

  /** Compares all since the last time, while nothing is asked. */
  synchronized void check(DatabaseDriver driver) {
    var history = new TreeMap<>(driver.history(key, replay.reached()));
    long upTo = history.isEmpty() ? named : Math.max(named, history.lastKey());
    replay.run(events, Map.copyOf(history), Math.max(upTo, replay.reached()), 0);
    events.clear();
  }
}
