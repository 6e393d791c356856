package io.orrery.http;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.operation.ProcessorTime;
import io.orrery.operation.Vitals;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for tasks that hold an event loop. The thread's processor time is read at most once a
 * millisecond, and again only when a task took long by the wall clock, so that a request costs two
 * looks at that clock. Belongs to one event loop.
 */
final class LoopWatch {
  static final long LIMIT_NANOS = 20_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
  private static final long SAMPLE_NANOS = 1_000_000;
  private static final FastThreadLocal<LoopWatch> WATCHES =
      new FastThreadLocal<>() {
        @Override
        protected LoopWatch initialValue() {
          return new LoopWatch(System::nanoTime, ProcessorTime::nanos, Vitals::isWarmingUp);
        }
      };

  private final LongSupplier nanos;
  private final LongSupplier processorNanos;
  private final BooleanSupplier warmingUp;
  private long beganNanos;
  private long sampledNanos;
  private long sampledProcessorNanos;

  /**
   * A watch over one event loop.
   *
   * @param nanos the wall clock
   * @param processorNanos the processor time of the calling thread
   * @param warmingUp whether slowness may come from the start of the process
   */
  LoopWatch(LongSupplier nanos, LongSupplier processorNanos, BooleanSupplier warmingUp) {
    this.nanos = nanos;
    this.processorNanos = processorNanos;
    this.warmingUp = warmingUp;
    sampledNanos = nanos.getAsLong() - SAMPLE_NANOS;
  }

  /** The watch of the calling event loop. */
  static LoopWatch current() {
    return WATCHES.get();
  }

  void begin() {
    beganNanos = nanos.getAsLong();
    if (beganNanos - sampledNanos >= SAMPLE_NANOS) {
      sampledNanos = beganNanos;
      sampledProcessorNanos = processorNanos.getAsLong();
    }
  }

  /** When the task began that runs now. */
  long beganNanos() {
    return beganNanos;
  }

  /**
   * @param last the request that was worked on last
   */
  void end(@Nullable Exchange last) {
    if (nanos.getAsLong() - beganNanos < LIMIT_NANOS || warmingUp.getAsBoolean()) {
      return;
    }
    long taken = processorNanos.getAsLong() - sampledProcessorNanos;
    if (taken >= LIMIT_NANOS) {
      Vitals.count(Vitals.Symptom.SLOW_EVENT_LOOP_TASK);
      LOG.warn(
          "A task held an event loop for {} ms; its last request: activity {}, route {}",
          taken / 1_000_000,
          last == null ? "none" : last.activityId(),
          last == null ? "none" : last.routeName());
    }
  }
}
