package io.orrery.storage;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how much may be read at a time where readers wait for another machine without a thread of
 * their own. Handed out in the order in which they are asked for.
 */
public final class Permits {
  private final int all;
  private final Semaphore free;

  public Permits(int all) {
    this.all = all;
    this.free = new Semaphore(all, true);
  }

  /** Permits that are given back when it is closed. */
  public interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for some of them; for all when there are fewer.
   *
   * @return null when they are not free in time, or the thread is interrupted
   */
  public @Nullable Permit take(int count, Duration patience) {
    int taken = Math.min(all, count);
    try {
      if (free.tryAcquire(taken, patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return () -> free.release(taken);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }
}
