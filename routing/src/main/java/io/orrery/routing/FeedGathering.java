package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Memory;
import io.orrery.operation.Outcome;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.FeedTask;
import io.orrery.query.QueryBudget;
import io.orrery.routing.catalog.ContainerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of items while it fills up: ends by number, by size, and by time as a guard. What it holds
 * is drawn from the memory of queries.
 */
final class FeedGathering {
  static final int ITEMS_DEFAULT = 1_000;
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** After this a page is refused: it ends by itself long before, unless the storage hangs. */
  private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int maxItems;
  private final long maxBytes;
  private final QueryBudget budget;
  private final LongSupplier nanos;
  private final long startNanos;
  private final List<StoredItem> items = new ArrayList<>();
  private long bytes;
  private RequestCharge charge = RequestCharge.NONE;
  private Answer.@Nullable Position position;
  private boolean full;

  /**
   * @param budget what the page may use: see {@link #budget}
   * @param nanos the clock that its time goes by
   */
  FeedGathering(int maxItems, long maxBytes, QueryBudget budget, LongSupplier nanos) {
    this.budget = budget;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.maxItems = maxItems <= 0 ? ITEMS_DEFAULT : maxItems;
    this.maxBytes = maxBytes;
  }

  /** What a page of a feed may use until it is handed over; to be closed then. */
  static QueryBudget budget(BooleanSupplier cancelled) {
    return QueryBudget.of(Memory.process(), System.nanoTime() + LAST_NANOS, cancelled);
  }

  boolean wantsMore() {
    return !full
        && items.size() < maxItems
        && bytes < maxBytes
        && nanos.getAsLong() - startNanos < NANOS_MAX;
  }

  /**
   * The task for one of the ranges of a segment. Items are spread over ranges at random, so each
   * range is asked for its share plus two standard deviations: items beyond the page are read again
   * for the next one.
   */
  FeedTask task(FeedSlice slice, long afterCounter, int ranges) {
    int room = maxItems - items.size();
    long roomBytes = maxBytes - bytes;
    if (ranges > 1) {
      double even = (double) room / ranges;
      room = (int) Math.min(room, (long) (even + 2 * Math.sqrt(even)) + 1);
      roomBytes = 2 * roomBytes / ranges;
    }
    return new FeedTask(slice, afterCounter, room, (int) roomBytes, budget);
  }

  /** Takes what has room; tells the counter to go on behind, null when the segment is done. */
  @Nullable Long take(FeedStretch stretch) {
    long before = bytes;
    Long stopped = taken(stretch);
    budget.release(stretch.sizeBytes() - (bytes - before));
    // Asking several ranges for the little that is missing would cost as much as the next page.
    full |= stretch.isOfSeveral() && bytes > before;
    return stopped;
  }

  private @Nullable Long taken(FeedStretch stretch) {
    charge = charge.plus(stretch.charge());
    position = stretch.position();
    Long last = null;
    for (StoredItem item : stretch.items()) {
      long size = sizeBytes(item);
      boolean fits = items.isEmpty() || bytes + size <= maxBytes;
      if (items.size() == maxItems || !fits) {
        full = true;
        return last == null ? stretch.start() : last;
      }
      items.add(item);
      bytes += size;
      last = item.counter();
    }
    return stretch.frontier();
  }

  /** What an item takes in an answer, and about that in memory. */
  static long sizeBytes(StoredItem item) {
    return (long) item.body().bytes().size() + StoredItem.SYSTEM_BYTES;
  }

  Answer answer(ContainerEntry container, @Nullable String continuation) {
    return new Answer(
        new Outcome.ItemPage(List.copyOf(items), continuation),
        charge,
        container.asOwner(),
        position);
  }
}
