package io.orrery.query.function;

import io.orrery.value.Value;

/**
 * A value as a key of a hash table, equal as {@link ValueOrder#equal} says. It has an order so that
 * keys made to have one hash are found in a tree instead of a list.
 */
public record ValueKey(Value value) implements Comparable<ValueKey> {
  @Override
  public boolean equals(Object other) {
    return other instanceof ValueKey(Value that) && ValueOrder.equal(value, that);
  }

  @Override
  public int hashCode() {
    return ValueOrder.hash(value);
  }

  @Override
  public int compareTo(ValueKey other) {
    return ValueOrder.ORDER.compare(value, other.value);
  }
}
