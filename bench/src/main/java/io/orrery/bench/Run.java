package io.orrery.bench;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One stretch of load while it lasts, shared by the connections that make it. */
final class Run {
  private static final int DIGITS = 3;

  private final Requests requests;
  private final int wantedStatus;
  private final long deadlineNanos;
  private final CountDownLatch busy;
  private final Map<EventLoop, Histogram> latencies = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Run(Requests requests, int wantedStatus, long deadlineNanos, int connections) {
    this.requests = requests;
    this.wantedStatus = wantedStatus;
    this.deadlineNanos = deadlineNanos;
    this.busy = new CountDownLatch(connections);
  }

  Requests requests() {
    return requests;
  }

  int wantedStatus() {
    return wantedStatus;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - deadlineNanos >= 0 || failure.get() != null;
  }

  /** Belongs to the event loop, in nanoseconds. */
  Histogram latencies(EventLoop loop) {
    return latencies.computeIfAbsent(loop, first -> new Histogram(DIGITS));
  }

  void connectionDone() {
    busy.countDown();
  }

  void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    while (busy.getCount() > 0) {
      busy.countDown();
    }
  }

  /** Waits for the last answer and gives all latencies. */
  Histogram await() throws InterruptedException {
    busy.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw cause instanceof BenchFault fault
          ? fault
          : new BenchFault("The load broke off: " + cause, cause);
    }
    var all = new Histogram(DIGITS);
    latencies.values().forEach(all::add);
    return all;
  }
}
