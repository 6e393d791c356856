package io.orrery.http;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Vitals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for tasks that hold an event loop. The thread's processor time is read at most once a
 * millisecond, and again only when a task took long by the wall clock, so that a request costs two
 * looks at that clock. A task that loaded classes does not count: no other will load them again.
 * Belongs to one event loop.
 */
final class LoopWatch {
  static final long LIMIT_NANOS = 20_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
  private static final long SAMPLE_NANOS = 1_000_000;
  private static final FastThreadLocal<LoopWatch> WATCHES =
      new FastThreadLocal<>() {
        @Override
        protected LoopWatch initialValue() {
          return new LoopWatch();
        }
      };

  static {
    // No event loop is to wait for the first call.
    Thread.ofVirtual().name("loaded-classes").start(Vitals::loadedClasses);
  }

  private long beganNanos;
  private long sampledNanos = System.nanoTime() - SAMPLE_NANOS;
  private long sampledProcessorNanos;
  private long sampledClasses;

  /** The watch of the calling event loop. */
  static LoopWatch current() {
    return WATCHES.get();
  }

  void begin() {
    beganNanos = System.nanoTime();
    if (beganNanos - sampledNanos >= SAMPLE_NANOS) {
      sampledNanos = beganNanos;
      sampledProcessorNanos = ProcessorTime.nanos();
      sampledClasses = Vitals.isWarmingUp() ? 0 : Vitals.loadedClasses();
    }
  }

  /**
   * @param last the request that was worked on last
   */
  void end(@Nullable Exchange last) {
    if (System.nanoTime() - beganNanos < LIMIT_NANOS || Vitals.isWarmingUp()) {
      return;
    }
    long nanos = ProcessorTime.nanos() - sampledProcessorNanos;
    if (nanos >= LIMIT_NANOS && Vitals.loadedClasses() == sampledClasses) {
      Vitals.count(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
      LOG.warn(
          "A task held an event loop for {} ms; its last request: activity {}, route {}",
          nanos / 1_000_000,
          last == null ? "none" : last.activityId(),
          last == null ? "none" : last.routeName());
    }
  }
}
