package io.orrery.query;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;

/** The variables of one running query: inputs, keys and aggregates of a group, parameters. */
final class Frame {
  /** The slot of the item itself. */
  static final int ITEM = 0;

  final Value[] inputs;
  final Value[] results;
  final Parameters parameters;
  private int rowsTried;

  Frame(int inputs, int results, Parameters parameters) {
    this.inputs = new Value[inputs];
    this.results = new Value[results];
    this.parameters = parameters;
    Arrays.fill(this.inputs, Value.UNDEFINED);
    Arrays.fill(this.results, Value.UNDEFINED);
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
