package io.orrery.fuzz;

import org.jspecify.annotations.Nullable;

/** What Jazzer calls in the process that it guides; its argument is the name of the target. */
public final class Entry {
  private static @Nullable Bounded bounded;

  private Entry() {}

  public static void fuzzerInitialize(String[] arguments) {
    bounded = Targets.named(arguments[0]).bounded();
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Bounded target = bounded;
    if (target == null) {
      throw new IllegalStateException("fuzzerInitialize comes first");
    }
    target.run(input);
  }
}
