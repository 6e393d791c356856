package io.orrery.script;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Looks at every running script a hundred times a second, and sleeps when there is none. */
final class Watchdog implements AutoCloseable {
  private static final long TICK_NANOS = 10_000_000;

  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private @Nullable Thread thread;
  private volatile boolean closed;

  void add(Watch watch) {
    watches.add(watch);
    LockSupport.unpark(started());
  }

  void remove(Watch watch) {
    watches.remove(watch);
  }

  private synchronized Thread started() {
    Thread running = thread;
    if (running == null) {
      running = Thread.ofPlatform().daemon().name("script-watchdog").start(this::run);
      thread = running;
    }
    return running;
  }

  private void run() {
    HeapGuard heap = HeapGuard.start();
    while (!closed) {
      if (watches.isEmpty()) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, TICK_NANOS);
      }
      long now = System.nanoTime();
      watches.forEach(watch -> watch.look(now, heap));
    }
    watches.forEach(watch -> watch.abandon(System.nanoTime()));
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
