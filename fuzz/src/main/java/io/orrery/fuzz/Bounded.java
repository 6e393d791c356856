package io.orrery.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a target within bounds of processor time and allocated bytes. Both belong to the thread, so
 * load on the machine does not count; class loading and compilation do, so an input is over a bound
 * only if it is so three times.
 */
final class Bounded {
  private static final int TRIES = 3;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Target target;
  private final long nanosMax;
  private final long bytesMax;

  /**
   * @param bytesMax what one input may allocate
   */
  Bounded(Target target, long nanosMax, long bytesMax) {
    this.target = target;
    this.nanosMax = nanosMax;
    this.bytesMax = bytesMax;
  }

  void run(byte[] input) throws Exception {
    long nanos = Long.MAX_VALUE;
    long bytes = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && (nanos > nanosMax || bytes > bytesMax); i++) {
      long startNanos = THREADS.getCurrentThreadCpuTime();
      long startBytes = THREADS.getCurrentThreadAllocatedBytes();
      target.run(input);
      nanos = Math.min(nanos, THREADS.getCurrentThreadCpuTime() - startNanos);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - startBytes);
    }
    Finding.unless(nanos <= nanosMax, "An input takes " + nanos / 1_000_000 + " ms");
    Finding.unless(bytes <= bytesMax, "An input allocates " + (bytes >> 20) + " MB");
  }
}
