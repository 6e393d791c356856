package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a feed is asked for.
 *
 * @param maxItems at most so many; -1 leaves it to the server
 * @param continuation where the page before ended; null for the first
 */
public record PageRequest(int maxItems, @Nullable String continuation) implements Serializable {
  public static final PageRequest FIRST = new PageRequest(-1, null);
}
