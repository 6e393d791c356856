package io.orrery.query.function;

import io.orrery.value.RawJson;
import io.orrery.value.Value;

/**
 * What the evaluation of a query draws on: its clock, and a bounded number of steps and bytes.
 * Every function whose cost or result grows with its arguments counts here before it does the work;
 * each call may refuse the query. Belongs to one thread at a time.
 */
public interface Work {
  /** The logarithm of the bytes of stored text that are walked in the time of a step. */
  int WALK_BYTES_LOG = 9;

  /** For values whose size was counted before. */
  Work UNCOUNTED =
      new Work() {
        @Override
        public QueryClock clock() {
          throw new IllegalStateException("uncounted work has no clock");
        }

        @Override
        public void steps(long count) {}

        @Override
        public void take(long bytes) {}
      };

  QueryClock clock();

  /** Counts steps: calls, comparisons, combinations, each well below a microsecond. */
  void steps(long count);

  /** Draws the memory of a value that lives no longer than the evaluation of one item. */
  void take(long bytes);

  /**
   * The steps of a search for a member in stored text: a walk through it. Members and elements of
   * other values are found at once.
   */
  static int walkSteps(Value value) {
    return 1 + (Math.max(0, RawJson.sizeOf(value)) >> WALK_BYTES_LOG);
  }

  /** Counts a pass over a text: a machine word or more of it is one step's work. */
  default void chars(long chars) {
    steps(chars >> 6);
  }

  /**
   * Counts a pass over a whole value, such as hashing it. Refuses a value that repeats others so
   * often that it exceeds the limit of built values.
   */
  default void pass(Value value) {
    if (value instanceof Value.Text(String text)) {
      chars(text.length());
    } else {
      Sizes.allow(value, this);
    }
  }

  /** Draws a text before it is built. */
  default void text(long chars) {
    Sizes.allowText(chars);
    take(Sizes.textBytes(chars));
    chars(chars);
  }

  /** Draws the elements of an array before they are made: those of stored text are. */
  default void read(Value array, long count) {
    if (RawJson.sizeOf(array) >= 0) {
      take(Sizes.partsBytes(count));
    }
  }

  /** Draws the texts among elements of an array that were made. */
  default void readTexts(Value array, Iterable<Value> elements) {
    if (RawJson.sizeOf(array) >= 0) {
      for (Value element : elements) {
        if (element instanceof Value.Text(String text)) {
          take(Sizes.textBytes(text.length()));
        }
      }
    }
  }

  /** Draws an array or object before it is built; its elements are drawn on their own. */
  default void items(long count) {
    Sizes.allowItems(count);
    take(Sizes.itemsBytes(count));
    steps(count >> 3);
  }
}
