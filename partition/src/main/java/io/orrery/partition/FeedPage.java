package io.orrery.partition;

import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import java.util.List;

/**
 * A page of a feed. It may hold fewer items than asked for, even none, and still have more to come:
 * pages end by work done.
 *
 * @param lastCounter where the next page goes on
 */
public record FeedPage(
    List<StoredItem> items, long lastCounter, boolean more, RequestCharge charge, long lsn) {
  /** What a page costs without any item. */
  public static final RequestCharge CHARGE_MIN = Charges.page();

  public FeedPage {
    items = List.copyOf(items);
  }
}
