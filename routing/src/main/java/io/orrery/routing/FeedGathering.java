package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Outcome;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.FeedTask;
import io.orrery.routing.catalog.ContainerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A page of items while it fills up: ends by number, by size, and by time as a guard. */
final class FeedGathering {
  static final int ITEMS_DEFAULT = 1_000;
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final int maxItems;
  private final long maxBytes;
  private final LongSupplier nanos;
  private final long startNanos;
  private final List<StoredItem> items = new ArrayList<>();
  private long bytes;
  private RequestCharge charge = RequestCharge.NONE;
  private Answer.@Nullable Position position;
  private boolean full;

  /**
   * @param nanos the clock that its time goes by
   */
  FeedGathering(int maxItems, long maxBytes, LongSupplier nanos) {
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.maxItems = maxItems <= 0 ? ITEMS_DEFAULT : maxItems;
    this.maxBytes = maxBytes;
  }

  boolean wantsMore() {
    return !full
        && items.size() < maxItems
        && bytes < maxBytes
        && nanos.getAsLong() - startNanos < NANOS_MAX;
  }

  FeedTask task(FeedSlice slice, long afterCounter) {
    return new FeedTask(slice, afterCounter, maxItems - items.size(), (int) (maxBytes - bytes));
  }

  /** Takes what has room; tells the counter to go on behind, null when the segment is done. */
  @Nullable Long take(FeedStretch stretch) {
    charge = charge.plus(stretch.charge());
    position = stretch.position();
    Long last = null;
    for (StoredItem item : stretch.items()) {
      long size = (long) item.body().bytes().size() + StoredItem.SYSTEM_BYTES;
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

  Answer answer(ContainerEntry container, @Nullable String continuation) {
    return new Answer(
        new Outcome.ItemPage(List.copyOf(items), continuation),
        charge,
        container.asOwner(),
        position);
  }
}
