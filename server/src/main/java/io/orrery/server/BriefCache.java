package io.orrery.server;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a thing at most once a second, however many ask for it. Whoever asks while it is made gets
 * the one before and does not wait: many askers must not hold all threads that answer.
 */
final class BriefCache<T> implements Supplier<T> {
  private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

  private final Supplier<T> maker;
  private final LongSupplier nanos;
  private final ReentrantLock making = new ReentrantLock();
  private volatile @Nullable Made<T> latest;

  private record Made<T>(T thing, long atNanos) {}

  BriefCache(Supplier<T> maker) {
    this(maker, System::nanoTime);
  }

  BriefCache(Supplier<T> maker, LongSupplier nanos) {
    this.maker = maker;
    this.nanos = nanos;
  }

  @Override
  public T get() {
    Made<T> last = latest;
    if (last != null && (isFresh(last) || !making.tryLock())) {
      return last.thing();
    }
    if (last == null) {
      making.lock();
    }
    try {
      Made<T> now = latest;
      if (now == null || !isFresh(now)) {
        now = new Made<>(maker.get(), nanos.getAsLong());
        latest = now;
      }
      return now.thing();
    } finally {
      making.unlock();
    }
  }

  private boolean isFresh(Made<T> made) {
    return nanos.getAsLong() - made.atNanos() < KEPT_NANOS;
  }
}
