package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/**
 * What an item that is made of another must meet, beside the limits of all items: only where both
 * are known can it be told whether it does.
 */
@FunctionalInterface
public interface ItemRule {
  ItemRule NONE = item -> null;

  /** Why the item may not be; null when it may. */
  @Nullable Refusal refusal(Body item);
}
