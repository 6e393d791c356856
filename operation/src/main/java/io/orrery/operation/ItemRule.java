package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What an item that is made of another must meet, beside the limits of all items: only where both
 * are known can it be told whether it does. Rules that clients' requests carry are constants of
 * enums: a request may have to travel to another node, where code cannot go.
 */
@FunctionalInterface
public interface ItemRule extends Serializable {

  /** Nothing is asked. */
  enum None implements ItemRule {
    NONE;

    @Override
    public @Nullable Refusal refusal(Body item) {
      return null;
    }
  }

  ItemRule NONE = None.NONE;

  /** Why the item may not be; null when it may. */
  @Nullable Refusal refusal(Body item);
}
