package io.orrery.query.function;

import io.orrery.value.Value;

/**
 * A value as a key of a hash table, equal as {@link ValueOrder#equal} says. It has an order so that
 * keys made to have one hash are found in a tree instead of a list.
 *
 * @param work counts what it takes to find the key among others
 */
public record ValueKey(Value value, Work work) implements Comparable<ValueKey> {
  public ValueKey(Value value) {
    this(value, Work.UNCOUNTED);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueKey that && ValueOrder.equal(value, that.value, work);
  }

  @Override
  public int hashCode() {
    return ValueOrder.hash(value, work);
  }

  @Override
  public int compareTo(ValueKey other) {
    return ValueOrder.ORDER.compare(value, other.value, work);
  }
}
