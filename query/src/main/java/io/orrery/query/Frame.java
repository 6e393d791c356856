package io.orrery.query;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;

/** The variables of one running query: inputs, results of aggregates, parameters. One owner. */
final class Frame {
  /** The slot of the item itself. */
  static final int ITEM = 0;

  final Value[] inputs;
  final Value[] aggregates;
  final Parameters parameters;
  private int rowsTried;

  Frame(int inputs, int aggregates, Parameters parameters) {
    this.inputs = new Value[inputs];
    this.aggregates = new Value[aggregates];
    this.parameters = parameters;
    Arrays.fill(this.inputs, Value.UNDEFINED);
    Arrays.fill(this.aggregates, Value.UNDEFINED);
  }

  /** Counts a combination of inputs; a cross product of long arrays has no end otherwise. */
  void countRow() {
    if ((++rowsTried & 0xFFF) == 0 && parameters.patience().isOver()) {
      throw QueryRefused.plain("The query took longer than it may.");
    }
  }

  void restore(List<Value> earlier) {
    earlier.toArray(inputs);
  }
}
