package io.orrery.operation;

import java.io.Serializable;

/** Where a split cuts a range. */
public sealed interface Cut extends Serializable {
  /** In the middle of the range's hash space. */
  record Midpoint() implements Cut {}

  /** So that both halves have as much data. */
  record ByData() implements Cut {}

  /** Right before a key. */
  record At(EffectivePartitionKey epk) implements Cut {}
}
