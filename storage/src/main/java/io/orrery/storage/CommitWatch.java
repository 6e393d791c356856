package io.orrery.storage;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Times the commits of one thread; any thread may ask whether they hardly move at present. */
public final class CommitWatch {
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;

  /** When the commit that runs was begun; while none runs, no such moment. */
  private volatile @Nullable Long runningSince;

  /** When a commit ended that was slow, unless a quick one has followed. */
  private volatile @Nullable Long slowAt;

  public CommitWatch() {
    this(System::nanoTime);
  }

  CommitWatch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public void begin() {
    runningSince = nanos.getAsLong();
  }

  public void end() {
    Long since = runningSince;
    long now = nanos.getAsLong();
    slowAt = since != null && now - since > SLOW_NANOS ? (Long) now : null;
    runningSince = null;
  }

  /** Whether a commit runs for more than a second, or the last one did and ended just now. */
  public boolean isSlow() {
    Long since = runningSince;
    Long ended = slowAt;
    long now = nanos.getAsLong();
    return (since != null && now - since > SLOW_NANOS)
        || (ended != null && now - ended < SLOW_NANOS);
  }
}
