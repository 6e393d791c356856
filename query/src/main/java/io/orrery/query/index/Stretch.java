package io.orrery.query.index;

import io.orrery.operation.Bytes;

/** A part of the index, by whole terms. */
public sealed interface Stretch {
  /** The entries of one term. */
  record Point(Bytes term) implements Stretch {}

  /** The entries of all terms from one on and before another, which need not exist. */
  record Range(Bytes fromInclusive, Bytes toExclusive) implements Stretch {}
}
