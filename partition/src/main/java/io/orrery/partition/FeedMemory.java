package io.orrery.partition;

import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.storage.Entry;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a page of a feed draws while it fills: for the stretch that was read last, and
 * for what the page gives. A page that lets others compute keeps both meanwhile.
 */
final class FeedMemory {
  /** An entry is in memory twice: as it was read, and as the page gives it. */
  private static final int COPIES = 2;

  private static final int ITEMS_PER_LOOK = 16;

  private final QueryBudget budget;
  private long stretchBytes;

  /** Of the stretch, what was not looked at yet. */
  private int aheadCount;

  private long aheadBytes;

  FeedMemory(QueryBudget budget) {
    this.budget = budget;
  }

  /**
   * Draws a stretch that was scanned.
   *
   * @throws QueryRefused when the memory of queries is taken
   */
  void scanned(List<Entry> entries) {
    draw(entries.stream().mapToLong(entry -> entry.value().length).sum(), entries.size());
  }

  /** The same for values that were fetched. */
  void fetched(List<byte @Nullable []> values) {
    draw(
        values.stream().filter(Objects::nonNull).mapToLong(value -> value.length).sum(),
        values.size());
  }

  private void draw(long bytes, int entries) {
    aheadCount = entries;
    aheadBytes = bytes;
    long drawn = COPIES * bytes + (long) StoredItem.SYSTEM_BYTES * entries;
    budget.hold(drawn);
    stretchBytes = drawn;
  }

  /** Returns the memory of the stretch, except for the bytes that the page gives. */
  void looked(long keptBytes) {
    budget.release(stretchBytes - keptBytes);
    stretchBytes = 0;
    aheadCount = 0;
    aheadBytes = 0;
  }

  /**
   * Lets others have the processor each time a few more items were looked at.
   *
   * @throws QueryRefused when the client is gone
   */
  void lookAt(int lookedAt, byte @Nullable [] value) {
    if (lookedAt % ITEMS_PER_LOOK == 0) {
      budget.look();
    }
    aheadCount--;
    aheadBytes -= value == null ? 0 : value.length;
  }

  /** A page that fails is charged for what it has read, and for what was read ahead. */
  void gather(Runnable page, Supplier<RequestCharge> lookedAt) {
    try {
      page.run();
    } catch (RuntimeException | Error e) {
      chargeUnfinished(lookedAt.get());
      throw e;
    }
  }

  private void chargeUnfinished(RequestCharge lookedAt) {
    budget.workedInVain(lookedAt.plus(Charges.passedOver(aheadCount, aheadBytes)));
  }
}
