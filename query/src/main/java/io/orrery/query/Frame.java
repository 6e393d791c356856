package io.orrery.query;

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

  Frame(int inputs, int aggregates, Parameters parameters) {
    this.inputs = new Value[inputs];
    this.aggregates = new Value[aggregates];
    this.parameters = parameters;
    Arrays.fill(this.inputs, Value.UNDEFINED);
    Arrays.fill(this.aggregates, Value.UNDEFINED);
  }

  void restore(List<Value> earlier) {
    earlier.toArray(inputs);
  }
}
