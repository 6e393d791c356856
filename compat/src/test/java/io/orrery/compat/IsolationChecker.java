package io.orrery.compat;

import io.orrery.compat.History.Ending;
import io.orrery.compat.History.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Says what is wrong with a history. Values are added to the ends of registers and are all
 * different, so the last state of a register tells in which order its changes happened, and every
 * read must have seen a beginning of it.
 */
final class IsolationChecker {
  private final List<Event> events;
  private final Map<Integer, List<String>> last;
  private final Map<String, Event> writers = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  private IsolationChecker(List<Event> events, Map<Integer, List<String>> last) {
    this.events = events;
    this.last = last;
    for (Event event : events) {
      event.appends().values().forEach(value -> writers.put(value, event));
    }
    last.values()
        .forEach(
            values -> {
              for (int i = 0; i < values.size(); i++) {
                places.put(values.get(i), i);
              }
            });
  }

  /**
   * Checks a history.
   *
   * @param last what the registers hold after the last request
   * @return what is wrong, nothing if all is well
   */
  static List<String> check(List<Event> events, Map<Integer, List<String>> last) {
    var checker = new IsolationChecker(events, last);
    checker.checkLastState();
    for (Event event : events) {
      checker.checkAppends(event);
      if (event.ending() == Ending.DONE) {
        checker.checkReads(event);
        checker.checkReadAndWrite(event);
      }
    }
    checker.checkTimes();
    return checker.faults;
  }

  private void checkLastState() {
    last.forEach(
        (register, values) -> {
          var once = new HashSet<String>();
          for (String value : values) {
            if (!once.add(value)) {
              faults.add("applied twice: " + value + " in register " + register);
            }
            if (!writers.containsKey(value)) {
              faults.add("from nowhere: " + value + " in register " + register);
            }
          }
        });
  }

  private void checkAppends(Event event) {
    Set<Boolean> there = new HashSet<>();
    event.appends().values().forEach(value -> there.add(places.containsKey(value)));
    if (event.ending() == Ending.DONE && there.contains(false)) {
      faults.add("lost update: " + event);
    } else if (event.ending() == Ending.REFUSED && there.contains(true)) {
      faults.add("refused, but there: " + event);
    } else if (there.size() > 1) {
      faults.add("torn: " + event);
    }
  }

  private void checkReads(Event event) {
    event.reads().forEach((register, seen) -> checkPrefix(event, register, seen));
    Set<Event> half = new HashSet<>();
    for (List<String> seen : event.reads().values()) {
      for (String value : seen) {
        Event writer = writers.get(value);
        if (writer != null && !sawAll(event, writer) && half.add(writer)) {
          faults.add("torn: " + event.what() + " saw a part of " + writer);
        }
      }
    }
  }

  /** Whether a read that saw one value of a transaction saw all that are in what it read. */
  private boolean sawAll(Event read, Event writer) {
    return writer.appends().entrySet().stream()
        .allMatch(
            append -> {
              List<String> seen = read.reads().get(append.getKey());
              return seen == null || sees(seen, append.getValue());
            });
  }

  /** Looks where the value must be first: registers grow long. */
  private boolean sees(List<String> seen, String value) {
    Integer place = places.get(value);
    boolean there = place != null && place < seen.size() && seen.get(place).equals(value);
    return there || seen.contains(value);
  }

  private void checkPrefix(Event event, int register, List<String> seen) {
    List<String> all = last.getOrDefault(register, List.of());
    if (seen.size() <= all.size() && all.subList(0, seen.size()).equals(seen)) {
      return;
    }
    for (String value : seen) {
      Event writer = writers.get(value);
      if (writer != null && writer.ending() == Ending.REFUSED) {
        faults.add("dirty read: " + event.what() + " saw " + value + " of " + writer);
        return;
      }
    }
    faults.add(
        "lost update: " + event.what() + " saw in register " + register + " what was undone");
  }

  /** Who wrote what it had read wrote directly behind it: nobody came between. */
  private void checkReadAndWrite(Event event) {
    event
        .appends()
        .forEach(
            (register, value) -> {
              List<String> seen = event.reads().get(register);
              Integer place = places.get(value);
              if (seen != null && place != null && place != seen.size()) {
                faults.add("lost update: somebody came between the read and the write of " + event);
              }
            });
  }

  /** What somebody knew before a read began, the read must have seen. */
  private void checkTimes() {
    for (int register : last.keySet()) {
      var known = new TreeMap<Long, Known>();
      events.stream()
          .filter(event -> event.ending() == Ending.DONE)
          .sorted(Comparator.comparingLong(Event::end))
          .forEach(event -> remember(known, register, event));
      for (Event event : events) {
        List<String> seen = event.reads().get(register);
        var before = known.lowerEntry(event.begin());
        if (event.ending() == Ending.DONE
            && seen != null
            && before != null
            && seen.size() < before.getValue().length()) {
          int client = before.getValue().client();
          faults.add(
              (client == event.client() ? "session order: " : "stale read: ")
                  + event.what()
                  + (" of client "
                      + event.client()
                      + " saw "
                      + seen.size()
                      + " values of register ")
                  + (register + " where client " + client + " had known ")
                  + before.getValue().length());
        }
      }
    }
  }

  /** How long a register was known to be, and to whom. */
  private record Known(int length, int client) {}

  private void remember(NavigableMap<Long, Known> known, int register, Event event) {
    int length = 0;
    if (event.reads().containsKey(register)) {
      length = event.reads().get(register).size();
    }
    String value = event.appends().get(register);
    if (value != null && places.containsKey(value)) {
      length = Math.max(length, places.get(value) + 1);
    }
    if (length > 0 && (known.isEmpty() || known.lastEntry().getValue().length() < length)) {
      known.put(event.end(), new Known(length, event.client()));
    }
  }
}
