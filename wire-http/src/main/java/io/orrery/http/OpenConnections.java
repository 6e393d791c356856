package io.orrery.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts connections and refuses those beyond a bound: each takes a file descriptor, of which the
 * storage needs some as well. Loopback addresses are held to the sum only. An IPv6 client has as
 * many addresses as its network, so those of one /64 count as one. Behind NAT64 all IPv4 clients
 * come from one /96 (RFC 6052); they count by the addresses that it holds.
 */
public final class OpenConnections {
  private static final int NETWORK_BYTES = 8;

  /** 64:ff9b::/96. */
  private static final byte[] NAT64 = {0, 0x64, (byte) 0xFF, (byte) 0x9B, 0, 0, 0, 0, 0, 0, 0, 0};

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
    InetAddress client = client(from);
    if (client != null && byAddress.merge(client, 1, Integer::sum) > perAddressMax) {
      close(from);
      refused.increment();
      return false;
    }
    return true;
  }

  void close(@Nullable InetAddress from) {
    open.decrementAndGet();
    InetAddress client = client(from);
    if (client != null) {
      byAddress.computeIfPresent(client, (address, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The address that a client is counted by; null for one that is held to the sum only. */
  private static @Nullable InetAddress client(@Nullable InetAddress from) {
    if (from == null) {
      return null;
    }
    // Turns an IPv4 address that came as ::ffff:a.b.c.d into one.
    InetAddress plain = address(from.getAddress());
    if (plain.isLoopbackAddress()) {
      return null;
    }
    byte[] bytes = plain.getAddress();
    if (bytes.length <= NETWORK_BYTES) {
      return plain;
    }
    return isNat64(bytes)
        ? address(Arrays.copyOfRange(bytes, NAT64.length, bytes.length))
        : address(Arrays.copyOf(Arrays.copyOf(bytes, NETWORK_BYTES), bytes.length));
  }

  private static boolean isNat64(byte[] bytes) {
    return Arrays.equals(bytes, 0, NAT64.length, NAT64, 0, NAT64.length);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The most connections at a time. */
  int max() {
    return max;
  }

  /** The connections that are open. */
  public int open() {
    return open.get();
  }

  /** The connections that were refused so far. */
  public long refused() {
    return refused.sum();
  }
}
