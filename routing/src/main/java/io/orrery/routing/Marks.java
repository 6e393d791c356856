package io.orrery.routing;

import io.orrery.operation.Mark;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The marked writes that other nodes ask for. One attempt is done at a time under a mark, and none
 * after a later one: its sender was answered, or what it wrote would not be looked for.
 */
final class Marks {
  /** Far more than a node that goes leaves unanswered. */
  private static final int REPEATED_MAX = 100_000;

  private final Set<Name> running = ConcurrentHashMap.newKeySet();
  private final Map<Name, Integer> repeated =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Integer> eldest) {
          return size() > REPEATED_MAX;
        }
      };

  private record Name(long high, long low) {
    static Name of(Mark mark) {
      return new Name(mark.high(), mark.low());
    }
  }

  /**
   * Lets a write begin; its end has to be told.
   *
   * @throws NotHere when it is being done already, or was given up
   */
  void begin(Mark mark) {
    Name name = Name.of(mark);
    if (mark.again()) {
      repeat(name, mark.attempt());
    }
    if (!running.add(name)) {
      throw new NotHere("It is being done for somebody who has gone");
    }
    // Looked at last: whoever asks again does it the other way round.
    if (lastAttempt(name) > mark.attempt()) {
      running.remove(name);
      throw new NotHere("Whoever asked has asked again since");
    }
  }

  void end(Mark mark) {
    running.remove(Name.of(mark));
  }

  private synchronized void repeat(Name name, int attempt) {
    repeated.merge(name, attempt, Math::max);
  }

  /** The last one that was asked for here; 0 where none was repeated. */
  private synchronized int lastAttempt(Name name) {
    return repeated.getOrDefault(name, 0);
  }
}
