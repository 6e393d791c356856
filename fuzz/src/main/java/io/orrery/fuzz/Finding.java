package io.orrery.fuzz;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A property that a target checks does not hold. */
final class Finding extends RuntimeException {
  private static final long serialVersionUID = 1;

  Finding(String message) {
    super(message);
  }

  Finding(String message, Throwable cause) {
    super(message, cause);
  }

  static void unless(boolean holds, String message) {
    if (!holds) {
      throw new Finding(message);
    }
  }

  static void unlessEqual(@Nullable Object expected, @Nullable Object actual, String message) {
    if (!Objects.equals(expected, actual)) {
      throw new Finding(message + ": expected " + expected + ", got " + actual);
    }
  }
}
