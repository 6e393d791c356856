package io.orrery.http;

import io.orrery.operation.LargeBody;
import io.orrery.operation.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A lane of the memory account as all connections share it. A connection that finds it full waits,
 * the one that needs least first, and those that have held most for longest are evicted, so that
 * bytes that a client withholds cannot block the others.
 */
final class LaneRoom {
  /** How long a client may be idle once others wait for what it holds. */
  private static final long STALLED_NANOS = 2_000_000_000L;

  /** How long it may take in all, beyond that, for each byte: 10 s for 3 MB. */
  private static final long NANOS_PER_BYTE = 2_543;

  /** Looking for those to evict takes as long as there are many. */
  private static final long RELIEF_NANOS = 50_000_000;

  private final Memory memory;
  private final Memory.Lane lane;

  /** What large parts leave to small ones. */
  private final long smallBytes;

  private final PriorityQueue<Wish> wishes =
      new PriorityQueue<>(
          Comparator.comparingLong(Wish::bytes).thenComparingLong(Wish::sinceNanos));
  private final Set<Holding> holdings = new HashSet<>();
  // Whether anybody waits; otherwise returning bytes takes no lock.
  private volatile boolean wished;
  private final LongSupplier nanos;
  private long relievedNanos;

  /**
   * @param nanos the clock that says how long bytes are held
   */
  LaneRoom(Memory memory, Memory.Lane lane, LongSupplier nanos) {
    this(memory, lane, 0, nanos);
  }

  /**
   * @param smallBytes what large parts leave to small ones
   */
  LaneRoom(Memory memory, Memory.Lane lane, long smallBytes, LongSupplier nanos) {
    this.memory = memory;
    this.lane = lane;
    this.smallBytes = smallBytes;
    this.nanos = nanos;
    this.relievedNanos = nanos.getAsLong() - RELIEF_NANOS;
  }

  /** What a connection waits for; compared by identity. */
  static final class Wish {
    private final long bytes;
    private final long sinceNanos = System.nanoTime();
    private final Consumer<Wish> granted;

    /**
     * @param granted called on any thread, under a lock: must only pass it on
     */
    Wish(long bytes, Consumer<Wish> granted) {
      this.bytes = bytes;
      this.granted = granted;
    }

    long bytes() {
      return bytes;
    }

    private long sinceNanos() {
      return sinceNanos;
    }
  }

  /** Bytes that depend on what a client does next; compared by identity. */
  final class Holding {
    private final long sinceNanos = nanos.getAsLong();
    private final Consumer<Holding> evicted;
    private volatile long bytes;
    private volatile long movedNanos = sinceNanos;

    private Holding(long bytes, Consumer<Holding> evicted) {
      this.bytes = bytes;
      this.evicted = evicted;
    }

    long bytes() {
      return bytes;
    }

    void grow(long to) {
      bytes = to;
    }

    /** The client did something. */
    void moved() {
      movedNanos = nanos.getAsLong();
    }

    private boolean isEvictable(long now) {
      return now - movedNanos > STALLED_NANOS
          || now - sinceNanos > STALLED_NANOS + bytes * NANOS_PER_BYTE;
    }
  }

  boolean tryTake(long bytes) {
    return memory.tryTake(lane, bytes, LargeBody.isLarge(bytes) ? smallBytes : 0);
  }

  /** Whether so much could be taken if nothing else were. */
  boolean canHold(long bytes) {
    return bytes <= memory.boundBytes(lane) - smallBytes;
  }

  void giveBack(long bytes) {
    memory.giveBack(lane, bytes);
    if (wished) {
      grant();
    }
  }

  synchronized void await(Wish wish) {
    wishes.add(wish);
    wished = true;
    grant();
  }

  synchronized void forget(Wish wish) {
    wishes.remove(wish);
    wished = !wishes.isEmpty();
  }

  private synchronized void grant() {
    Wish first = wishes.peek();
    while (first != null && tryTake(first.bytes)) {
      wishes.remove();
      first.granted.accept(first);
      first = wishes.peek();
    }
    wished = first != null;
  }

  /**
   * Holds bytes that were taken, until they are released or the client is evicted.
   *
   * @param evicted called on any thread, without a lock: closing a channel on its own event loop
   *     returns its memory of all lanes at once
   */
  synchronized Holding hold(long bytes, Consumer<Holding> evicted) {
    var holding = new Holding(bytes, evicted);
    holdings.add(holding);
    return holding;
  }

  synchronized void release(Holding holding) {
    holdings.remove(holding);
  }

  /** Evicts for the first connection that waits; all that wait call this now and then. */
  void relieve() {
    long bytes = wantedNow();
    if (bytes > 0) {
      evict(bytes);
    }
  }

  /** What the first who waits needs; 0 when nobody waits, or others were evicted just now. */
  private synchronized long wantedNow() {
    Wish first = wishes.peek();
    long now = nanos.getAsLong();
    if (first == null || now - relievedNanos < RELIEF_NANOS) {
      return 0;
    }
    relievedNanos = now;
    return first.bytes;
  }

  /** Evicts those that have held most for longest, until so many bytes will come back. */
  void evict(long bytes) {
    for (Holding chosen : takeWorst(bytes)) {
      chosen.evicted.accept(chosen);
    }
  }

  /** One look at each: there may be as many as there are connections. */
  private synchronized List<Holding> takeWorst(long bytes) {
    long now = nanos.getAsLong();
    List<Weighed> evictable = new ArrayList<>();
    for (Holding holding : holdings) {
      if (holding.isEvictable(now)) {
        evictable.add(new Weighed(holding, (double) holding.bytes * (now - holding.sinceNanos)));
      }
    }
    evictable.sort(Comparator.comparingDouble(Weighed::weight).reversed());
    var chosen = new ArrayList<Holding>();
    long coming = 0;
    for (Weighed worst : evictable) {
      if (coming >= bytes) {
        break;
      }
      holdings.remove(worst.holding);
      coming += worst.holding.bytes;
      chosen.add(worst.holding);
    }
    return chosen;
  }

  private record Weighed(Holding holding, double weight) {}
}
