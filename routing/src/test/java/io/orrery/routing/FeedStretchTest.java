package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Body;
import io.orrery.operation.EpkRange;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.partition.FeedPage;
import io.orrery.query.QueryBudget;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A segment whose range was split is read from the children, in the order of the parent. */
class FeedStretchTest {
  private static final MappedRange RANGE =
      MappedRange.of(1, EpkRange.ALL, new PartitionId(1), List.of(0L));

  @Test
  void childrenAreMergedUpToWhereBothAreKnown() {
    var stretch = new FeedStretch(0);
    stretch.add(RANGE, page(true, 1, 4, 6));
    stretch.add(RANGE, page(true, 2, 3, 9));
    assertEquals(List.of(1L, 2L, 3L, 4L, 6L), counters(stretch));
    assertEquals(6L, stretch.frontier());
    assertEquals(200, stretch.charge().hundredths());
  }

  @Test
  void finishedChildDoesNotHoldBackTheOther() {
    var stretch = new FeedStretch(0);
    stretch.add(RANGE, page(false, 1));
    stretch.add(RANGE, page(true, 2, 9));
    assertEquals(List.of(1L, 2L, 9L), counters(stretch));
    assertEquals(9L, stretch.frontier());
  }

  @Test
  void allIsReadWhenBothAreFinished() {
    var stretch = new FeedStretch(0);
    stretch.add(RANGE, page(false, 5));
    stretch.add(RANGE, page(false, 2));
    assertEquals(List.of(2L, 5L), counters(stretch));
    assertEquals(null, stretch.frontier());
  }

  @Test
  void fullPageStopsBehindItsLastItem() {
    var stretch = new FeedStretch(0);
    stretch.add(RANGE, page(false, 1, 3));
    stretch.add(RANGE, page(false, 2, 4));
    var gathering = new FeedGathering(3, 1_000_000, QueryBudget.unaccounted(), System::nanoTime);
    assertEquals(3L, gathering.take(stretch));
    assertEquals(false, gathering.wantsMore());
  }

  /** A page that finds nothing goes on through stretches of other keys, but not for long. */
  @Test
  void pageEndsWithItsTime() {
    var nanos = new AtomicLong(Long.MAX_VALUE - 1);
    var gathering = new FeedGathering(3, 1_000_000, QueryBudget.unaccounted(), nanos::get);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(4_999));
    assertEquals(true, gathering.wantsMore());
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertEquals(false, gathering.wantsMore());
  }

  private static List<Long> counters(FeedStretch stretch) {
    return stretch.items().stream().map(StoredItem::counter).toList();
  }

  private static FeedPage page(boolean more, long... counters) {
    var items =
        LongStream.of(counters)
            .mapToObj(counter -> new StoredItem(counter, Body.json("{}"), 1, 0, 1))
            .toList();
    return new FeedPage(items, counters[counters.length - 1], more, RequestCharge.units(1), 1);
  }
}
