package io.orrery.compat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What clients asked of registers and what they were told, with the times of both. */
final class History {
  /** How a request ended for the client. */
  enum Ending {
    DONE,
    REFUSED,
    /** The connection broke: it may have happened or not. */
    UNKNOWN
  }

  /**
   * One request.
   *
   * @param begin before it was sent
   * @param end after the answer was read
   * @param reads the registers it saw, all in one moment
   * @param appends the values it added to the ends of registers, all or none
   */
  record Event(
      int client,
      String what,
      long begin,
      long end,
      Map<Integer, List<String>> reads,
      Map<Integer, String> appends,
      Ending ending) {}

  private final Queue<Event> events = new ConcurrentLinkedQueue<>();

  void add(Event event) {
    events.add(event);
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  /** The longest that one request took. */
  Duration longestWait() {
    return Duration.ofNanos(
        events.stream().mapToLong(event -> event.end() - event.begin()).max().orElse(0));
  }

  long count(Ending ending) {
    return events.stream().filter(event -> event.ending() == ending).count();
  }
}
