package io.orrery.script.child;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Looks at the running script a hundred times a second, and sleeps when there is none. */
final class Watchdog {
  private static final long TICK_NANOS = 10_000_000;

  /** How often it looks whether the server still lives. */
  private static final int PARENT_TICKS = 50;

  private final Thread thread;
  private volatile @Nullable Watch watch;

  Watchdog() {
    thread = Thread.ofPlatform().daemon().name("script-watchdog").start(this::run);
  }

  void begin(Watch begun) {
    watch = begun;
    LockSupport.unpark(thread);
  }

  void end() {
    watch = null;
  }

  private void run() {
    HeapGuard heap = HeapGuard.start();
    long parent = parent();
    int ticks = 0;
    while (true) {
      Watch present = watch;
      if (present == null) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, TICK_NANOS);
        present.look(System.nanoTime(), heap);
      }
      // A script that runs does not read the pipe, where the end of the server is seen at once.
      if (++ticks % PARENT_TICKS == 0 && parent() != parent) {
        Runtime.getRuntime().halt(0);
      }
    }
  }

  private static long parent() {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
  }
}
