package io.orrery.routing;

import io.orrery.operation.Answer.Position;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.FeedPage;
import io.orrery.routing.catalog.MappedRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next items of a segment in order of their counters, gathered from the ranges that hold it
 * now: one, or its children after a split.
 */
final class FeedStretch {
  private final List<FeedPage> pages = new ArrayList<>();
  private final long afterCounter;
  private RequestCharge charge = RequestCharge.NONE;
  private @Nullable Position position;

  FeedStretch(long afterCounter) {
    this.afterCounter = afterCounter;
  }

  void add(MappedRange range, FeedPage page) {
    pages.add(page);
    charge = charge.plus(page.charge());
    position = new Position(range.id(), page.lsn(), page.lsn());
  }

  /** What all its items take, also those beyond the frontier. */
  long sizeBytes() {
    long bytes = 0;
    for (FeedPage page : pages) {
      for (StoredItem item : page.items()) {
        bytes += FeedGathering.sizeBytes(item);
      }
    }
    return bytes;
  }

  /** Whether several ranges hold the segment. */
  boolean isOfSeveral() {
    return pages.size() > 1;
  }

  /** The counter that the stretch begins behind. */
  Long start() {
    return afterCounter;
  }

  RequestCharge charge() {
    return charge;
  }

  /** A state of one of the ranges; null when there was none to ask. */
  @Nullable Position position() {
    return position;
  }

  /** Up to which counter everything is known: null when that is all there is. */
  @Nullable Long frontier() {
    return pages.stream()
        .filter(FeedPage::more)
        .map(page -> Math.max(page.lastCounter(), afterCounter))
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The items up to the frontier. */
  List<StoredItem> items() {
    if (pages.size() == 1) {
      return pages.getFirst().items();
    }
    Long frontier = frontier();
    return pages.stream()
        .flatMap(page -> page.items().stream())
        .filter(item -> frontier == null || item.counter() <= frontier)
        .sorted(Comparator.comparingLong(StoredItem::counter))
        .toList();
  }
}
