package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Does again what was done, in the order of LSNs, on a {@link Reference}, and compares every answer
 * and the history. Nothing has to be searched: each answer names its place.
 */
final class Replay {
  private final Reference state;
  private final boolean isWhole;
  private final Map<Long, Name> documents = new HashMap<>();
  private long reached;
  private long now;

  Replay(Reference state) {
    this(state, false);
  }

  /**
   * @param isWhole whether the events are those of all keys, so that each LSN has a cause
   */
  Replay(Reference state, boolean isWhole) {
    this.state = state;
    this.isWhole = isWhole;
  }

  long reached() {
    return reached;
  }

  Reference state() {
    return state;
  }

  /**
   * Goes on to an LSN.
   *
   * @param events in the order in which they were answered, all that named LSNs up to there
   * @param history of all versions, by LSN, behind the LSN that was reached before
   * @param seconds the time at the end
   */
  void run(List<Event> events, Map<Long, List<Changed>> history, long upTo, long seconds) {
    now = seconds;
    var byLsn = new TreeMap<Long, List<Event>>();
    for (Event event : events) {
      assertTrue(event.lsn() >= event.floor(), () -> "went back in time: " + event);
      assertTrue(
          event.lsn() >= reached && event.lsn() <= upTo,
          () -> "no such time: " + event + " " + upTo);
      byLsn.computeIfAbsent(event.lsn(), lsn -> new ArrayList<>()).add(event);
    }
    var scans = new Scans(events, reached);
    look(byLsn.getOrDefault(reached, List.of()));
    scans.see(reached, state);
    for (long lsn = reached + 1; lsn <= upTo; lsn++) {
      List<Event> at = new ArrayList<>(byLsn.getOrDefault(lsn, List.of()));
      List<Changed> changes = new ArrayList<>(history.getOrDefault(lsn, List.of()));
      write(lsn, at, changes);
      look(at);
      scans.see(lsn, state);
    }
    reached = upTo;
  }

  private void write(long lsn, List<Event> at, List<Changed> changes) {
    // The history has no entry for the deletion of a key: an LSN with changes has another cause.
    Event writer = writerOf(at, changes.isEmpty());
    assertTrue(
        !isWhole || writer != null || !changes.isEmpty(), () -> "nothing happened at " + lsn);
    // Items that were deleted with their key enter the history when the sweep removes them.
    changes.removeIf(
        change -> change.kind() == Changed.Kind.DELETE && state.takeSwept(number(change)));
    switch (writer) {
      case Event.Answered answered -> {
        answer(answered);
        assertTrue(lsn > answered.floor(), () -> "a write did not move on: " + answered);
      }
      case Event.Committed committed -> committed.writes().forEach(this::answer);
      case null, default -> upkeep(lsn, changes, at);
    }
    List<Changed> expected = state.takeLog();
    assertEquals(expected, changes, () -> "history of " + lsn + ": " + at);
    expected.forEach(change -> number(change, lsn));
  }

  private static long number(Changed change) {
    return change.previous() == null ? -1 : change.previous().document();
  }

  /** A document number names one item for ever. */
  private void number(Changed change, long lsn) {
    Version current = change.current();
    if (current == null) {
      return;
    }
    assertEquals(lsn, current.stamp().lsn(), () -> "stamp of " + change);
    Name known = documents.put(current.document(), current.name());
    boolean renamed = change.kind() == Changed.Kind.REPLACE;
    assertEquals(change.kind() == Changed.Kind.CREATE, known == null, () -> "number of " + change);
    assertTrue(known == null || renamed, () -> "number of " + change + " was that of " + known);
  }

  /** Takes the one event that wrote from those of an LSN; null where upkeep did. */
  private @Nullable Event writerOf(List<Event> at, boolean untold) {
    Event found = null;
    for (Event event : at) {
      boolean wrote =
          event instanceof Event.Committed
              || (event instanceof Event.Answered answered
                  && Boolean.TRUE.equals(answered.wrote()));
      if (wrote) {
        Event other = found;
        assertTrue(other == null, () -> "two writes of one LSN: " + other + " and " + event);
        found = event;
      }
    }
    for (int i = 0; untold && found == null && i < at.size(); i++) {
      if (at.get(i)
              instanceof Event.Answered(Request.DeleteKey(String key), var r, var l, var f, var s)
          && state.holdsAnything(key)) {
        found = at.get(i);
      }
    }
    at.remove(found);
    return found;
  }

  /** An LSN without a request: items whose time was over, or that went with their key. */
  private void upkeep(long lsn, List<Changed> changes, List<Event> at) {
    for (Changed change : changes) {
      Version gone = change.previous();
      assertNotNull(gone, () -> "nothing wrote at " + lsn + ", and yet " + changes + " " + at);
      assertEquals(Changed.Kind.EXPIRE, change.kind(), () -> "nothing wrote at " + lsn);
      assertEquals(gone, state.stored(gone.name()), () -> "expired at " + lsn);
      assertTrue(state.isExpired(gone, now), () -> "expired before its time: " + gone);
      state.expire(gone);
    }
  }

  private void look(List<Event> at) {
    for (Event event : at) {
      switch (event) {
        case Event.Answered answered -> answer(answered);
        case Event.Began began -> transaction(began);
        case Event.Looked looked ->
            assertEquals(
                looked.expected().apply(state),
                looked.rows(),
                () -> looked.what() + " at " + looked.lsn() + ", beside " + at);
        case Event.Scanned _ -> {} // compared with all states from its beginning to its end
        case Event.TimeToLive changed -> state.timeToLive(changed.timeToLive());
        case Event.Committed committed -> assertTrue(committed.writes().isEmpty(), "two writers");
      }
    }
    assertEquals(List.of(), state.takeLog(), () -> "wrote without an LSN: " + at);
  }

  private void answer(Event.Answered answered) {
    Result expected = state.apply(answered.request(), answered.result(), answered.seconds());
    assertEquals(expected, answered.result(), answered::toString);
  }

  /** Over a copy: what it wrote becomes visible at its commit only. */
  private void transaction(Event.Began began) {
    Reference seen = state.copy();
    for (Event.Answered step : began.steps()) {
      Result expected = seen.apply(step.request(), step.result(), step.seconds());
      assertEquals(expected, step.result(), () -> step + " in " + began);
    }
  }
}
