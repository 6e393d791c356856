package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Does again what was done, in the order of LSNs, on a {@link Reference}, and compares every answer
 * and the history. Nothing has to be searched: each answer names its place.
 */
final class Replay {
  private final boolean isWhole;
  private final Timeline timeline;
  private final Map<Long, Name> documents;
  private final Unanswered unanswered;
  private Reference state;
  private long reached;

  /**
   * @param documents what the document numbers of the container named so far
   * @param isWhole whether the events are those of all keys, so that each LSN has a cause
   */
  Replay(Reference state, Timeline timeline, Map<Long, Name> documents, boolean isWhole) {
    this(state, timeline, documents, isWhole, Unanswered.NONE);
  }

  private Replay(
      Reference state,
      Timeline timeline,
      Map<Long, Name> documents,
      boolean isWhole,
      Unanswered unanswered) {
    this.state = state;
    this.timeline = timeline;
    this.documents = documents;
    this.isWhole = isWhole;
    this.unanswered = unanswered;
  }

  /** Of one key, with requests that clients do not know the end of. */
  static Replay ofKey(
      Reference state, Timeline timeline, Map<Long, Name> documents, Unanswered unanswered) {
    return new Replay(state, timeline, documents, false, unanswered);
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
   */
  void run(List<Event> events, Map<Long, Logged> history, long upTo) {
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
    scans.see(reached, state, true);
    for (long lsn = reached + 1; lsn <= upTo; lsn++) {
      List<Event> at = new ArrayList<>(byLsn.getOrDefault(lsn, List.of()));
      boolean changed = write(lsn, at, history.getOrDefault(lsn, Logged.NOTHING));
      look(at);
      scans.see(lsn, state, changed);
    }
    reached = upTo;
  }

  /** Tells whether anything was written. */
  private boolean write(long lsn, List<Event> at, Logged logged) {
    List<Changed> changes = new ArrayList<>(logged.changes());
    // The history has no entry for the deletion of a key: an LSN with changes has another cause.
    Event writer = writerOf(at, changes.isEmpty());
    assertTrue(
        !isWhole || writer != null || !changes.isEmpty(), () -> "nothing happened at " + lsn);
    // Items that were deleted with their key enter the history when the sweep removes them.
    changes.removeIf(
        change -> change.kind() == Changed.Kind.DELETE && state.takeSwept(number(change)));
    state.follow(changes);
    boolean explained = writer == null && unanswered.explain(lsn, changes, state);
    switch (writer) {
      case Event.Answered answered -> {
        answer(answered, changes);
        assertTrue(lsn > answered.floor(), () -> "a write did not move on: " + answered);
      }
      case Event.Committed committed ->
          committed.writes().forEach(write -> apply(write, state, committed.moments().getLast()));
      case null, default -> {
        if (!explained) {
          upkeep(lsn, changes, at, logged.ticks());
        }
      }
    }
    List<Changed> expected = state.takeLog();
    assertEquals(expected, changes, () -> "history of " + lsn + ": " + writer + " among " + at);
    expected.forEach(change -> number(change, lsn));
    state.follow(List.of());
    return writer != null || explained || !logged.changes().isEmpty();
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
              || (event instanceof Event.Answered answered && answered.wrote());
      if (wrote) {
        Event other = found;
        assertTrue(other == null, () -> "two writes of one LSN: " + other + " and " + event);
        found = event;
      }
    }
    for (int i = 0; untold && found == null && i < at.size(); i++) {
      if (at.get(i)
              instanceof Event.Answered(Request.DeleteKey(String key), var r, var l, var f, var m)
          && state.holdsAnything(key)) {
        found = at.get(i);
      }
    }
    at.remove(found);
    return found;
  }

  /** An LSN without a request: items that had expired, or that went with their key. */
  private void upkeep(long lsn, List<Changed> changes, List<Event> at, long ticks) {
    for (Changed change : changes) {
      Version gone = change.previous();
      assertNotNull(gone, () -> "nothing wrote at " + lsn + ", and yet " + changes + " " + at);
      assertEquals(Changed.Kind.EXPIRE, change.kind(), () -> "nothing wrote at " + lsn);
      assertEquals(gone, state.stored(gone.name()), () -> "expired at " + lsn);
      List<Moment> moments = timeline.around(ticks);
      assertTrue(
          moments.stream().anyMatch(moment -> moment.isExpired(gone)),
          () -> "expired before its time: " + gone + " in " + moments);
      state.expire(gone);
    }
  }

  private void look(List<Event> at) {
    for (Event event : at) {
      switch (event) {
        case Event.Answered answered -> answer(answered, List.of());
        case Event.Began began -> transaction(began);
        case Event.Looked looked -> look(looked, at);
        case Event.Scanned _ -> {} // compared with all states from its beginning to its end
        case Event.Committed committed -> assertTrue(committed.writes().isEmpty(), "two writers");
      }
    }
    assertEquals(List.of(), state.takeLog(), () -> "wrote without an LSN: " + at);
  }

  private void look(Event.Looked looked, List<Event> at) {
    Object expected = null;
    for (Moment moment : looked.moments()) {
      expected = looked.expected().apply(state, moment);
      if (expected.equals(looked.rows())) {
        return;
      }
    }
    assertEquals(
        expected, looked.rows(), () -> looked.what() + " at " + looked.lsn() + ", among " + at);
  }

  /**
   * Compares an answer with that of the model. Where it came while the moment changed, one of them
   * must fit.
   *
   * @param changes what the history says that it has done
   */
  private void answer(Event.Answered answered, List<Changed> changes) {
    List<Moment> moments = answered.moments();
    for (Moment moment : moments.subList(0, moments.size() - 1)) {
      Reference tried = state.copy();
      Result expected = tried.apply(answered.request(), answered.result(), moment);
      if (expected.equals(answered.result()) && tried.log().equals(changes)) {
        state = tried;
        return;
      }
    }
    apply(answered, state, moments.getLast());
  }

  private static void apply(Event.Answered answered, Reference state, Moment moment) {
    Result expected = state.apply(answered.request(), answered.result(), moment);
    assertEquals(expected, answered.result(), answered::toString);
  }

  /** Over a copy: what it wrote becomes visible at its commit only. */
  private void transaction(Event.Began began) {
    Reference seen = state.copy();
    for (Event.Answered step : began.steps()) {
      apply(step, seen, step.moments().getLast());
    }
  }
}
