package io.orrery.query;

import io.orrery.query.function.AggregateKind;

/** An aggregate of a query block and the slot its result is read from. */
record Aggregate(AggregateKind kind, Code argument, int slot) {

  AggregateState start() {
    return switch (kind) {
      case AVG -> new AggregateState.Sum(true);
      case COUNT -> new AggregateState.Count(false);
      case COUNTIF -> new AggregateState.Count(true);
      case MAKELIST -> new AggregateState.ListOf();
      case MAKESET -> new AggregateState.SetOf();
      case MAX -> new AggregateState.Extreme(1);
      case MIN -> new AggregateState.Extreme(-1);
      case SUM -> new AggregateState.Sum(false);
    };
  }
}
