package io.orrery.server;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes a thing at most once a second, however many ask for it. */
final class BriefCache<T> implements Supplier<T> {
  private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

  private final Supplier<T> maker;
  private @Nullable T made;
  private long madeNanos;

  BriefCache(Supplier<T> maker) {
    this.maker = maker;
  }

  @Override
  public synchronized T get() {
    T last = made;
    if (last != null && System.nanoTime() - madeNanos < KEPT_NANOS) {
      return last;
    }
    T fresh = maker.get();
    made = fresh;
    madeNanos = System.nanoTime();
    return fresh;
  }
}
