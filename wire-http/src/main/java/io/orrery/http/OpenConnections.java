package io.orrery.http;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts connections and refuses those beyond a bound: each takes a file descriptor, of which the
 * storage needs some as well. Loopback addresses are held to the sum only.
 */
public final class OpenConnections {
  private final int max;
  private final int perAddressMax;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();

  public OpenConnections(int max, int perAddressMax) {
    this.max = max;
    this.perAddressMax = perAddressMax;
  }

  /** Counts a connection in; false, and it is not counted, when it is one too many. */
  boolean tryOpen(@Nullable InetAddress from) {
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      refused.increment();
      return false;
    }
    if (isBounded(from) && byAddress.merge(from, 1, Integer::sum) > perAddressMax) {
      close(from);
      refused.increment();
      return false;
    }
    return true;
  }

  void close(@Nullable InetAddress from) {
    open.decrementAndGet();
    if (isBounded(from)) {
      byAddress.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
    }
  }

  private static boolean isBounded(@Nullable InetAddress from) {
    return from != null && !from.isLoopbackAddress();
  }

  /** How many there are. */
  public int open() {
    return open.get();
  }

  /** How many were refused. */
  public long refused() {
    return refused.sum();
  }
}
