package io.orrery.routing;

import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import org.jspecify.annotations.Nullable;

/** Request units that were taken by an estimate, to be settled when the price is known. */
interface Drawn {
  /**
   * Gives back what was too much, or takes the rest.
   *
   * @param key whose request it was; null when it concerned several
   */
  void settle(RequestCharge charge, @Nullable PartitionKey key);
}
