package io.orrery.operation;

import java.io.Serializable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What tells a write from every other, so that it is done once though it is asked for twice: the
 * node that was asked first may have gone without an answer.
 *
 * @param after a transaction of its partition that was over before it was asked for
 * @param attempt counts, from 1, how often it was sent without learning what became of it: an
 *     attempt is given up when the next one begins
 */
public record Mark(long high, long low, long after, int attempt) implements Serializable {

  /** A mark that nobody else has. */
  public static Mark random(long after) {
    var random = ThreadLocalRandom.current();
    return new Mark(random.nextLong(), random.nextLong(), after, 1);
  }

  /** Whether a node that was asked before may have done it. */
  public boolean again() {
    return attempt > 1;
  }

  /** The same, for whoever is asked next. */
  public Mark asAgain() {
    return new Mark(high, low, after, attempt + 1);
  }
}
