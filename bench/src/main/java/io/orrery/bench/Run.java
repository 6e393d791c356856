package io.orrery.bench;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One stretch of load while it lasts, shared by the connections that make it. */
final class Run {
  private static final int DIGITS = 3;

  private final Requests requests;
  private final int wantedStatus;
  private final long startNanos;
  private final long deadlineNanos;
  private final @Nullable Pace pace;
  private final AtomicLong sent = new AtomicLong();
  private final LongAdder refused = new LongAdder();
  private final CountDownLatch busy;
  private final Map<EventLoop, Histogram> latencies = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** As fast as the answers come, for that long. */
  Run(Requests requests, int wantedStatus, long startNanos, long nanos, int connections) {
    this(requests, wantedStatus, startNanos, nanos, connections, null);
  }

  /** At a pace. */
  Run(Requests requests, int wantedStatus, long startNanos, Pace pace, int connections) {
    this(requests, wantedStatus, startNanos, pace.nanos(), connections, pace);
  }

  private Run(
      Requests requests,
      int wantedStatus,
      long startNanos,
      long nanos,
      int connections,
      @Nullable Pace pace) {
    this.requests = requests;
    this.wantedStatus = wantedStatus;
    this.startNanos = startNanos;
    this.deadlineNanos = startNanos + nanos;
    this.pace = pace;
    this.busy = new CountDownLatch(connections);
  }

  Requests requests() {
    return requests;
  }

  int wantedStatus() {
    return wantedStatus;
  }

  /** When the next request is to be sent, by whichever client is free. */
  long dueNanos(long nowNanos) {
    return pace == null ? nowNanos : startNanos + pace.dueNanos(sent.getAndIncrement());
  }

  /** Whether answers are counted yet. */
  boolean counts(long nowNanos) {
    return pace == null || nowNanos - startNanos >= pace.leadInNanos();
  }

  /** Whether the answer says that the pace is too fast; counts it. */
  boolean isRefused(int status, long nowNanos) {
    if (pace == null || status != Pace.REFUSED) {
      return false;
    }
    if (counts(nowNanos)) {
      refused.increment();
    }
    return true;
  }

  long refused() {
    return refused.sum();
  }

  /** Whether each client sends something, however short the time: else its connection may end. */
  boolean wantsAllClients() {
    return pace == null && failure.get() == null;
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
