package io.orrery.model;

import io.orrery.operation.PartitionKeyRange;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Changes the database while clients work: its ranges, its index, its time. */
final class Operator {
  private static final int RANGES_MAX = 6;

  private final DatabaseDriver driver;
  private final Tally tally;
  private final Timeline timeline;
  private final Random random;

  Operator(DatabaseDriver driver, Tally tally, Timeline timeline, Random random) {
    this.driver = driver;
    this.tally = tally;
    this.timeline = timeline;
    this.random = random;
  }

  /**
   * Splits, merges or indexes anew; returns when that has ended.
   *
   * @param between is done between the phases of a split or merge
   */
  void reshape(Runnable between) {
    switch (random.nextInt(5)) {
      case 0 -> {
        Tally.Begun begun = tally.begin("Reindex");
        driver.index(random.nextInt(Definitions.policies()));
        between.run();
        begun.end();
      }
      case 1, 2 -> split(between);
      default -> join(between);
    }
  }

  private void split(Runnable between) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() >= RANGES_MAX) {
      join(between);
      return;
    }
    Tally.Begun begun = tally.begin("Split");
    driver.split(ranges.get(random.nextInt(ranges.size())).id(), between);
    begun.end();
  }

  private void join(Runnable between) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() == 1) {
      split(between);
      return;
    }
    int left = random.nextInt(ranges.size() - 1);
    Tally.Begun begun = tally.begin("Join");
    driver.merge(ranges.get(left).id(), ranges.get(left + 1).id(), between);
    begun.end();
  }

  /** Lets time pass, or changes how long items live. Only one operator does so. */
  void time() {
    Moment now = timeline.now();
    if (random.nextInt(4) == 0) {
      @Nullable Integer lives =
          switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> -1;
            default -> 2 + random.nextInt(3);
          };
      Tally.Begun begun = tally.begin("TimeToLive");
      timeline.change(new Moment(lives, now.seconds()), () -> driver.timeToLive(lives));
      begun.end();
    } else {
      int by = 1 + random.nextInt(2);
      Tally.Begun begun = tally.begin("Clock");
      timeline.change(
          new Moment(now.timeToLive(), now.seconds() + by), () -> driver.advance(by));
      begun.end();
    }
  }
}
