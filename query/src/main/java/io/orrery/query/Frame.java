package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.Work;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;

/** The variables of one running query: inputs, keys and aggregates of a group, parameters. */
final class Frame {
  /** The slot of the item itself. */
  static final int ITEM = 0;

  /** More than a join of three arrays of two hundred elements each. */
  private static final int ROWS_PER_ITEM_MAX = 1 << 23;

  private static final long WALK_BYTES_PER_LOOK = 16L << 20;

  final Value[] inputs;
  final Value[] results;
  final Parameters parameters;
  final ThreadWork work;
  private int rowsTried;
  private long walkedBytes;
  private int stepsPerStep = 1;

  Frame(int inputs, int results, Parameters parameters) {
    this(inputs, results, parameters, new ThreadWork(parameters.budget(), parameters.clock()));
  }

  Frame(int inputs, int results, Parameters parameters, ThreadWork work) {
    this.inputs = new Value[inputs];
    this.results = new Value[results];
    this.parameters = parameters;
    this.work = work;
    Arrays.fill(this.inputs, Value.UNDEFINED);
    Arrays.fill(this.results, Value.UNDEFINED);
  }

  /** The next item: combinations are counted anew. */
  void beginItem(Value item) {
    rowsTried = 0;
    stepsPerStep = Work.walkSteps(item);
  }

  /** Counts a combination of inputs; a cross product of long arrays has no end otherwise. */
  void countRow(int steps) {
    if (++rowsTried > ROWS_PER_ITEM_MAX) {
      throw QueryRefused.plain(
          "The query joins one item into more than " + ROWS_PER_ITEM_MAX + " rows.");
    }
    work.steps((long) steps * stepsPerStep);
  }

  /**
   * Notes that a member or element was searched in stored text, and draws what was made of it: a
   * text is made anew each time it is read. The steps were counted with the row; the deadline is
   * checked here, because one row may make thousands of searches.
   */
  Value read(Value part, Value from) {
    int storedBytes = RawJson.sizeOf(ComputedProperties.without(from));
    if (storedBytes >= 0) {
      work.take(Sizes.partBytes(part));
      walkedBytes += storedBytes;
      if (walkedBytes >= WALK_BYTES_PER_LOOK) {
        walkedBytes = 0;
        work.look();
      }
    }
    return part;
  }

  void restore(List<Value> earlier) {
    earlier.toArray(inputs);
  }
}
