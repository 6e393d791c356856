package io.orrery.query;

import io.orrery.operation.ComputingThreads;
import io.orrery.operation.Memory;
import io.orrery.operation.RequestCharge;
import io.orrery.query.syntax.QueryRefused;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a query may use in all its threads: time until a deadline or until the client has
 * gone, and bytes of the query lane of the memory account. Closing returns every byte.
 */
public final class QueryBudget implements AutoCloseable {
  /** One query leaves room for others: so many fill the lane. */
  private static final int SHARES_OF_LANE = 4;

  /** The least share on small heaps; a text of the largest size needs more. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final long NO_DEADLINE = Long.MAX_VALUE;

  private final @Nullable Memory memory;
  private final long boundBytes;
  private final long startNanos;
  private final long durationNanos;
  private final BooleanSupplier cancelled;
  private final LongAdder steps = new LongAdder();
  private volatile long freeSteps = Long.MAX_VALUE;
  private volatile Runnable payer = () -> {};
  private final AtomicLong waitedNanos = new AtomicLong();
  private long takenBytes;
  private long heldBytes;
  private RequestCharge inVain = RequestCharge.NONE;
  private boolean closed;

  private QueryBudget(
      @Nullable Memory memory, long boundBytes, long durationNanos, BooleanSupplier cancelled) {
    this.memory = memory;
    this.boundBytes = boundBytes;
    this.startNanos = System.nanoTime();
    this.durationNanos = durationNanos;
    this.cancelled = cancelled;
  }

  /**
   * A budget that draws from the query lane.
   *
   * @param deadlineNanos in {@link System#nanoTime}
   * @param cancelled whether the client has stopped waiting for the answer
   */
  public static QueryBudget of(Memory memory, long deadlineNanos, BooleanSupplier cancelled) {
    long left = deadlineNanos - System.nanoTime();
    return new QueryBudget(memory, shareOf(memory), left, cancelled);
  }

  /** No deadline and no account, for evaluations that no request waits for; bytes are bounded. */
  public static QueryBudget unaccounted() {
    return new QueryBudget(null, shareOf(Memory.process()), NO_DEADLINE, () -> false);
  }

  private static long shareOf(Memory memory) {
    return Math.max(LEAST_BYTES, memory.boundBytes(Memory.Lane.QUERY) / SHARES_OF_LANE);
  }

  /** Whether the deadline has passed or the client has gone. */
  public boolean isOver() {
    return (durationNanos != NO_DEADLINE
            && System.nanoTime() - startNanos - waitedNanos.get() >= durationNanos)
        || cancelled.getAsBoolean();
  }

  /**
   * Extends the deadline by a wait that is no work of the query. Only the longest wait counts: the
   * threads of a query wait side by side.
   */
  public void waited(long nanos) {
    waitedNanos.accumulateAndGet(nanos, Math::max);
  }

  /** By how much the deadline was extended. */
  public long waitedNanos() {
    return waitedNanos.get();
  }

  /**
   * Refuses the query when its time is over, and lets others have the processor when it had its
   * share.
   *
   * @throws QueryRefused with {@link QueryRefused.Kind#OUT_OF_TIME}
   */
  public void look() {
    ComputingThreads.giveWay();
    if (isOver()) {
      throw QueryRefused.outOfTime();
    }
  }

  /** Counts the steps of a thread since it counted last, and looks at the time. */
  public void steps(long count) {
    count(count);
    look();
  }

  /** Counts steps where the time need not be looked at. */
  void count(long count) {
    steps.add(count);
    if (freeSteps != Long.MAX_VALUE && steps.sum() > freeSteps) {
      freeSteps = Long.MAX_VALUE;
      payer.run();
    }
  }

  /**
   * Calls back once, as soon as more steps than the free ones were counted, to draw request units.
   * Belongs to the planning thread.
   *
   * @param asked throws when the request units are refused, which ends the work
   */
  public void paidBy(long free, Runnable asked) {
    payer = asked;
    freeSteps = free;
  }

  /** The steps counted so far. */
  public long steps() {
    return steps.sum();
  }

  /**
   * Draws bytes before they are allocated.
   *
   * @throws QueryRefused when the query holds its share already, or all queries hold the lane
   */
  public synchronized void take(long bytes) {
    if (closed || takenBytes + bytes > boundBytes) {
      throw QueryRefused.plain(
          "The query needs more than "
              + (boundBytes >> 20)
              + " MB of memory at once. Select, join or group less in one query.");
    }
    if (memory != null && !memory.tryTake(Memory.Lane.QUERY, bytes)) {
      throw QueryRefused.busy();
    }
    takenBytes += bytes;
  }

  /** Draws bytes for what can be left out; false when there are none. */
  public synchronized boolean tryTake(long bytes) {
    if (closed
        || takenBytes + bytes > boundBytes
        || (memory != null && !memory.tryTake(Memory.Lane.QUERY, bytes))) {
      return false;
    }
    takenBytes += bytes;
    return true;
  }

  public synchronized void giveBack(long bytes) {
    if (closed) {
      return;
    }
    takenBytes -= bytes;
    if (memory != null) {
      memory.giveBack(Memory.Lane.QUERY, bytes);
    }
  }

  /**
   * Draws bytes that were read from the storage, or wait to be sent. They are no part of what one
   * query may use at once, but of what all may.
   *
   * @throws QueryRefused when all queries hold the lane
   */
  public void hold(long bytes) {
    if (!tryHold(bytes)) {
      throw QueryRefused.busy();
    }
  }

  /** The same, where the query can do without; false when all queries hold the lane. */
  public synchronized boolean tryHold(long bytes) {
    if (closed || (memory != null && !memory.tryTake(Memory.Lane.QUERY, bytes))) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  /** Returns what was {@linkplain #hold held}. */
  public synchronized void release(long bytes) {
    if (closed) {
      return;
    }
    heldBytes -= bytes;
    if (memory != null) {
      memory.giveBack(Memory.Lane.QUERY, bytes);
    }
  }

  /** Adds the charge of work that was refused before it gave an answer. */
  public synchronized void workedInVain(RequestCharge price) {
    inVain = inVain.plus(price);
  }

  /** Returns the charge of refused work since the last call. */
  public synchronized RequestCharge takeInVain() {
    RequestCharge price = inVain;
    inVain = RequestCharge.NONE;
    return price;
  }

  public synchronized long takenBytes() {
    return takenBytes;
  }

  @Override
  public synchronized void close() {
    giveBack(takenBytes);
    release(heldBytes);
    closed = true;
  }
}
