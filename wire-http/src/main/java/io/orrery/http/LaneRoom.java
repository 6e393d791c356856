package io.orrery.http;

import io.orrery.operation.LargeBody;
import io.orrery.operation.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A lane of the memory account as all connections share it. A connection that finds it full waits,
 * and those that have held most for longest are evicted, so that bytes that a client withholds
 * cannot block the others. Small parts go first; of large ones the one that needs least and the one
 * that has waited for longest take turns, so that a crowd that needs a little less than others does
 * not keep these waiting.
 */
final class LaneRoom {
  /** How long a client may be idle once others wait for what it holds. */
  private static final long STALLED_NANOS = 2_000_000_000L;

  /** How much longer it may take in all for each byte; with the above 10 s for 3 MB. */
  private static final long NANOS_PER_BYTE = 2_543;

  /** Looking for those to evict takes as long as there are many. */
  private static final long RELIEF_NANOS = 50_000_000;

  private final Memory memory;
  private final Memory.Lane lane;

  /** The part of the lane that large requests leave to small ones. */
  private final long smallBytes;

  private final NavigableSet<Wish> wishes =
      new TreeSet<>(Comparator.comparingLong(Wish::bytes).thenComparingLong(Wish::number));
  private final NavigableSet<Wish> byAge = new TreeSet<>(Comparator.comparingLong(Wish::number));
  private long lastNumber;
  private long wishedBytes;
  private long wishedSmallBytes;
  private boolean turnOfOldest;
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
   * @param smallBytes the part of the lane that large requests leave to small ones
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
    private final Consumer<Wish> granted;
    // Counts those that have begun to wait; belongs to the lane.
    private long number;

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

    private long number() {
      return number;
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
    wish.number = ++lastNumber;
    wishes.add(wish);
    byAge.add(wish);
    count(wish, wish.bytes);
    wished = true;
    grant();
  }

  synchronized void forget(Wish wish) {
    remove(wish);
    wished = !wishes.isEmpty();
  }

  private void remove(Wish wish) {
    if (wishes.remove(wish)) {
      byAge.remove(wish);
      count(wish, -wish.bytes);
    }
  }

  private void count(Wish wish, long bytes) {
    wishedBytes += bytes;
    wishedSmallBytes += LargeBody.isLarge(wish.bytes) ? 0 : bytes;
  }

  private synchronized void grant() {
    while (!wishes.isEmpty()) {
      Wish next = nextWish();
      if (!tryTake(next.bytes)) {
        break;
      }
      turnOfOldest = !turnOfOldest;
      remove(next);
      next.granted.accept(next);
    }
    wished = !wishes.isEmpty();
  }

  private Wish nextWish() {
    Wish least = wishes.first();
    return turnOfOldest && LargeBody.isLarge(least.bytes) ? byAge.first() : least;
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

  /** Evicts for the connections that wait; all of them call this now and then. */
  void relieve() {
    evict(wantedNow());
  }

  /** Nothing when nobody waits, or others were evicted just now. */
  private synchronized Wanted wantedNow() {
    long now = nanos.getAsLong();
    if (wishes.isEmpty() || now - relievedNanos < RELIEF_NANOS) {
      return Wanted.NOTHING;
    }
    relievedNanos = now;
    // Those that hold little keep nothing from large ones while there is more left to them.
    boolean spared = smallHeldBytes() <= smallBytes;
    long next = spared ? 0 : nextWish().bytes;
    return new Wanted(Math.max(next, wishedSmallBytes), wishedBytes);
  }

  private long smallHeldBytes() {
    long sum = 0;
    for (Holding holding : holdings) {
      sum += LargeBody.isLarge(holding.bytes) ? 0 : holding.bytes;
    }
    return sum;
  }

  /** Evicts those that have held most for longest, until so many bytes will come back. */
  void evict(long bytes) {
    evict(new Wanted(bytes, bytes));
  }

  private void evict(Wanted wanted) {
    if (wanted.ofLarge > 0) {
      for (Holding chosen : takeWorst(wanted)) {
        chosen.evicted.accept(chosen);
      }
    }
  }

  /** Looks at each once: there may be as many as there are connections. */
  private synchronized List<Holding> takeWorst(Wanted wanted) {
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
      long bytes = worst.holding.bytes;
      if (coming < (LargeBody.isLarge(bytes) ? wanted.ofLarge : wanted.ofSmall)) {
        holdings.remove(worst.holding);
        coming += bytes;
        chosen.add(worst.holding);
      }
    }
    return chosen;
  }

  /** Up to how many bytes in all those are evicted that hold much, and those that hold little. */
  private record Wanted(long ofSmall, long ofLarge) {
    static final Wanted NOTHING = new Wanted(0, 0);
  }

  private record Weighed(Holding holding, double weight) {}
}
