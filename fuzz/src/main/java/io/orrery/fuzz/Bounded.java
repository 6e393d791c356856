package io.orrery.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a target within bounds of processor time and allocated bytes. Both belong to the thread, so
 * load on the machine does not count; class loading and code that is not compiled yet do, so an
 * input is over a bound only if it is so again and again while the compiler has its time.
 */
final class Bounded {
  private static final int TRIES_MIN = 3;
  private static final long TRYING_NANOS = 2_000_000_000L;
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
    long first = THREADS.getCurrentThreadCpuTime();
    long start = first;
    for (int tries = 0;
        (nanos > nanosMax || bytes > bytesMax)
            && (tries < TRIES_MIN || start - first < TRYING_NANOS);
        tries++) {
      long startBytes = THREADS.getCurrentThreadAllocatedBytes();
      target.run(input);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - startBytes);
      long end = THREADS.getCurrentThreadCpuTime();
      nanos = Math.min(nanos, end - start);
      start = end;
    }
    Finding.unless(nanos <= nanosMax, "An input takes " + nanos / 1_000_000 + " ms");
    Finding.unless(bytes <= bytesMax, "An input allocates " + (bytes >> 20) + " MB");
  }
}
