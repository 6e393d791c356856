package io.orrery.query.function;

import io.orrery.value.Value;

/** A value as a key of a hash table, equal as {@link ValueOrder#equal} says. */
public record ValueKey(Value value) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ValueKey(Value that) && ValueOrder.equal(value, that);
  }

  @Override
  public int hashCode() {
    return ValueOrder.hash(value);
  }
}
