package io.orrery.operation;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts threads where it matters whether they run. The JDK may fail to start a virtual thread and
 * run it all the same: when it was scheduled, and there was no thread to carry it.
 */
public final class ThreadStart {
  private ThreadStart() {}

  /**
   * Runs work on a new thread. Throws what keeps the thread from being started when the work
   * certainly does not run.
   */
  public static void start(ThreadFactory threads, Runnable work) {
    var claimed = new AtomicBoolean();
    try {
      threads
          .newThread(
              () -> {
                if (!claimed.getAndSet(true)) {
                  work.run();
                }
              })
          .start();
    } catch (RuntimeException | Error e) {
      if (!claimed.getAndSet(true)) {
        throw e;
      }
    }
  }
}
