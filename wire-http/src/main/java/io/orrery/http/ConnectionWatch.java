package io.orrery.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the tasks of one connection on its event loop. What a task calls belongs to the task.
 * Belongs to that event loop.
 */
final class ConnectionWatch {
  private final LoopWatch watch;
  private final Supplier<@Nullable Exchange> executing;
  private boolean measuring;
  private boolean measuringRead;

  /** For the log, when a task takes long. */
  private @Nullable Exchange latest;

  ConnectionWatch(LoopWatch watch, Supplier<@Nullable Exchange> executing) {
    this.watch = watch;
    this.executing = executing;
  }

  /** A request has begun. */
  void began(Exchange exchange) {
    latest = exchange;
  }

  void beginRead() {
    if (!measuring) {
      measuring = true;
      measuringRead = true;
      watch.begin();
    }
  }

  void endRead() {
    if (measuringRead) {
      measuringRead = false;
      end();
    }
  }

  /** When the read began that ends now; one amid a handshake begins only here. */
  long readNanos() {
    beginRead();
    return watch.beganNanos();
  }

  /** When the task began that runs now. */
  long beganNanos() {
    return watch.beganNanos();
  }

  void run(Runnable task) {
    if (measuring) {
      task.run();
      return;
    }
    measuring = true;
    watch.begin();
    try {
      task.run();
    } finally {
      end();
    }
  }

  private void end() {
    measuring = false;
    watch.end(latest);
    latest = executing.get();
  }
}
